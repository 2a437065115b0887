"""The books of the hotel chain, held in memory and lived one day at a time.

The same seed and first day give the same books. Times of day are UTC; every change moves the row's updated_at.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from demo.chance import opaque_id, roll
from demo.people import invent_person
from demo.places import HOTELS

Row = dict[str, Any]

# Parents before children, so that rows can be written in this order.
TABLES = {"hotels": "hotel_id", "guests": "guest_id", "reservations": "reservation_id", "payments": "payment_id"}
GUESTS_AT_FIRST = 400

_CHANNELS = ("DIRECT", "PHONE", "BOOKING_SITE", "AGENCY")
_ROOM_TYPES = {"SINGLE": 95, "DOUBLE": 140, "FAMILY": 190, "SUITE": 320}
_METHODS = ("CARD", "CARD", "CASH", "TRANSFER")
# What people write into a box for notes, and what they leave in it: nothing is not the same as empty.
_NOTES = (
    *(None,) * 6,
    *("",) * 2,
    "Late arrival, after 22:00",
    'Asks for a "quiet" room',
    "Allergies:\n- nuts\n- shellfish",
    "Lune de miel — champagne s'il vous plaît",
    "NULL",
    "Invoice to C:\\Invoices\\N 12\tattn. accounts",
)


class HotelBooks:
    """All tables of the hotel application, as {table: {key: row}}; the chain opens its books on `first_day`."""

    def __init__(self, first_day: date, *, seed: int) -> None:
        self.tables: dict[str, dict[int, Row]] = {table: {} for table in TABLES}
        self._seed = seed
        self._start(first_day)
        for number in range(1, len(HOTELS) + 1):
            self._open_hotel(number)
        for _ in range(GUESTS_AT_FIRST):
            self._add_guest()

    def live(self, day: date) -> dict[str, list[Row]]:
        """Lives one day; returns the rows that it added or changed, by table."""
        self._start(day)
        self._tend_hotels()
        self._tend_guests()
        self._check_out()
        self._check_in()
        self._cancel()
        self._book()
        return {table: [self.tables[table][key] for key in sorted(keys)] for table, keys in self._touched.items()}

    def _start(self, day: date) -> None:
        self._day = day
        self._chance: random.Random = roll(self._seed, "hotels", day)
        self._touched: dict[str, set[int]] = {table: set() for table in TABLES}

    def _open_hotel(self, number: int) -> None:
        hotel = HOTELS[number - 1]
        values = {**hotel._asdict(), "rating": Decimal(hotel.rating), "is_active": True}
        self._add("hotels", self._moment(0, 4), values)

    def _add_guest(self) -> None:
        person = invent_person(self._chance, number=len(self.tables["guests"]) + 1)
        self._add("guests", self._moment(4, 7), {**person._asdict(), "is_active": True})

    def _tend_hotels(self) -> None:
        """Every third day one hotel closes for a while, or the one that is closed opens again."""
        hotels = list(self.tables["hotels"].values())
        if self._day.toordinal() % 3 == 0:
            closed = [hotel for hotel in hotels if not hotel["is_active"]]
            hotel = closed[0] if closed else self._chance.choice(hotels)
            self._change("hotels", hotel, self._moment(7, 9), is_active=bool(closed))
        if self._chance.random() < 0.15:
            hotel = self._chance.choice(hotels)
            step = Decimal(self._chance.choice(("-0.05", "0.05")))
            self._change("hotels", hotel, self._moment(9, 10), rating=min(hotel["rating"] + step, Decimal(5)))

    def _tend_guests(self) -> None:
        guest = self._chance.choice(list(self.tables["guests"].values()))
        self._change("guests", guest, self._moment(7, 9), phone=f"+1-202-555-{self._chance.randint(100, 199):04d}")
        if self._chance.random() < 0.2:
            guest = self._chance.choice(list(self.tables["guests"].values()))
            self._change("guests", guest, self._moment(9, 10), is_active=not guest["is_active"])
        for _ in range(self._chance.randint(1, 3)):
            self._add_guest()

    def _check_out(self) -> None:
        for stay in self._reservations("IN_HOUSE"):
            if stay["check_out"] != self._day:
                continue
            at = self._moment(7, 11)
            extras = self._chance.choice((0, 0, 0, 18, 42))
            self._change(
                "reservations",
                stay,
                at,
                status="CHECKED_OUT",
                checked_out_at=at,
                amount_usd=stay["amount_usd"] + extras,
            )
            due = Decimal(extras) if stay["is_prepaid"] else stay["amount_usd"]
            if due and self._chance.random() < 0.06:
                self._pay(stay, at, due, status="DECLINED")
                at += timedelta(minutes=3)
            if due:
                self._pay(stay, at, due)

    def _check_in(self) -> None:
        for stay in self._reservations("BOOKED"):
            if stay["check_in"] != self._day:
                continue
            if self._chance.random() < 0.05:
                self._change("reservations", stay, self._moment(22, 23), status="NO_SHOW")
            else:
                at = self._moment(13, 21)
                self._change("reservations", stay, at, status="IN_HOUSE", checked_in_at=at)

    def _cancel(self) -> None:
        """At least one guest a day thinks better of it; what was paid beforehand is paid back."""
        to_come = [stay for stay in self._reservations("BOOKED") if stay["check_in"] > self._day]
        for place, stay in enumerate(self._chance.sample(to_come, k=min(3, len(to_come)))):
            if place and self._chance.random() < 0.6:
                continue
            at = self._moment(11, 13)
            self._change("reservations", stay, at, status="CANCELLED", cancelled_at=at)
            for payment in self.tables["payments"].values():
                if payment["reservation_id"] == stay["reservation_id"]:
                    self._change("payments", payment, at + timedelta(minutes=1), status="REFUNDED")

    def _book(self) -> None:
        hotel_ids = [key for key, hotel in self.tables["hotels"].items() if hotel["is_active"]]
        guest_ids = [key for key, guest in self.tables["guests"].items() if guest["is_active"]]
        for _ in range(self._chance.randint(8, 12)):
            at = self._moment(14, 23)
            key = len(self.tables["reservations"]) + 1
            check_in = self._day + timedelta(days=self._chance.randint(1, 45))
            nights = self._chance.randint(1, 7)
            room_type, price = self._chance.choice(list(_ROOM_TYPES.items()))
            stay = self._add(
                "reservations",
                at,
                {
                    "hotel_id": self._chance.choice(hotel_ids),
                    "guest_id": self._chance.choice(guest_ids),
                    "confirmation": opaque_id(self._seed, "confirmation", key)[:8],
                    "status": "BOOKED",
                    "channel": self._chance.choice(_CHANNELS),
                    "room_type": room_type,
                    "check_in": check_in,
                    "check_out": check_in + timedelta(days=nights),
                    "adults": self._chance.randint(1, 3),
                    "children": self._chance.choice((0, 0, 0, 1, 2)),
                    "amount_usd": nights * price * Decimal(self._chance.randint(90, 130)) / 100,
                    "is_prepaid": self._chance.random() < 0.4,
                    "notes": self._chance.choice(_NOTES),
                    "booked_at": at,
                    "checked_in_at": None,
                    "checked_out_at": None,
                    "cancelled_at": None,
                },
            )
            if stay["is_prepaid"]:
                self._pay(stay, at + timedelta(minutes=1), stay["amount_usd"])

    def _pay(self, stay: Row, at: datetime, amount: Decimal, *, status: str = "CAPTURED") -> None:
        values = {
            "reservation_id": stay["reservation_id"],
            "method": self._chance.choice(_METHODS),
            "amount_usd": amount,
            "status": status,
            "paid_at": at if status == "CAPTURED" else None,
        }
        self._add("payments", at, values)

    def _reservations(self, status: str) -> Iterator[Row]:
        return (row for row in self.tables["reservations"].values() if row["status"] == status)

    def _add(self, table: str, at: datetime, values: Row) -> Row:
        key = len(self.tables[table]) + 1
        row = {TABLES[table]: key, **values, "created_at": at, "updated_at": at}
        self.tables[table][key] = row
        self._touched[table].add(key)
        return row

    def _change(self, table: str, row: Row, at: datetime, **values: object) -> None:
        row.update(values, updated_at=at)
        self._touched[table].add(row[TABLES[table]])

    def _moment(self, first_hour: int, last_hour: int) -> datetime:
        """A moment of the day between two hours. Later steps have later hours, so updated_at only grows."""
        start = datetime.combine(self._day, time(first_hour), UTC)
        return start + timedelta(microseconds=self._chance.randrange((last_hour - first_hour) * 3_600_000_000))
