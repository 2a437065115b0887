"""The chain's hotels, and the inboxes of its support desk; some inboxes are a hotel's front desk."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from demo.chance import opaque_id


class Hotel(NamedTuple):
    """One hotel as it stood when the books were opened; hotel_id is its place in HOTELS, counted from 1."""

    code: str
    name: str
    city: str
    country: str
    rooms: int
    rating: str
    opened_on: date


class Inbox(NamedTuple):
    """One inbox of the support desk; its name is unique, as Gladly promises."""

    inbox_id: str
    name: str


HOTELS = (
    Hotel("ASP", "Aspen Alpine Lodge", "Aspen", "US", 24, "4.60", date(1998, 12, 4)),
    Hotel("LIS", "Casa do Tejo", "Lisboa", "PT", 31, "4.45", date(2009, 5, 16)),
    Hotel("SAO", "Jardim Paulista", "São Paulo", "BR", 40, "4.10", date(2013, 8, 1)),
    Hotel("KYO", "Kamo Riverside Ryokan", "Kyoto", "JP", 14, "4.90", date(1986, 4, 2)),
    Hotel("MUC", "Hotel Isarblick", "München", "DE", 36, "4.05", date(2001, 9, 21)),
    Hotel("EDI", "Castle Rock House", "Edinburgh", "GB", 18, "4.35", date(1974, 6, 30)),
    Hotel("CPT", "Table Bay Retreat", "Cape Town", "ZA", 22, "4.70", date(2016, 11, 12)),
    Hotel("MEX", "Casa Azul, Coyoacán", "Ciudad de México", "MX", 20, "4.55", date(2019, 2, 28)),
)

_SHARED_INBOXES = ("Reservations", "Billing", "Groups, Events & Weddings")
_HOTELS_WITH_A_FRONT_DESK = HOTELS[:3]

# The inboxes in which contacts are queued.
INBOXES = tuple(
    Inbox(opaque_id("inbox", name), name)
    for name in (*_SHARED_INBOXES, *(f"Front Desk {hotel.city}" for hotel in _HOTELS_WITH_A_FRONT_DESK))
)
# One that is only open now and then, and that nobody has used yet.
SPARE_INBOX = Inbox(opaque_id("inbox", "Concierge"), "Concierge")
ALL_INBOXES = (*INBOXES, SPARE_INBOX)
