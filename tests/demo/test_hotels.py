"""The hotel database: a real PostgreSQL whose data moves on by days."""

import tempfile
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import psycopg2
import pytest

from demo.hotel_books import TABLES, HotelBooks
from demo.hotels import HotelDatabase
from demo.places import HOTELS

TODAY = date(2026, 1, 31)


@pytest.fixture(scope="session")
def directory():
    """Not pytest's own: a server that root starts runs as another user, who cannot reach that one."""
    with tempfile.TemporaryDirectory(prefix="hotels-") as directory:
        yield Path(directory)


@pytest.fixture(scope="session")
def hotels(directory):
    with HotelDatabase(directory / "one", today=TODAY) as hotels:
        yield hotels


class Lived(NamedTuple):
    """A database that lived two days and was stopped."""

    url: str
    rows: dict[str, dict[int, tuple[Any, ...]]]


@pytest.fixture(scope="session")
def lived(directory):
    with HotelDatabase(directory / "lived", today=TODAY) as hotels:
        hotels.live_a_day()
        hotels.live_a_day()
        assert hotels.today == TODAY + timedelta(days=2)
        return Lived(hotels.url, read_all(hotels))


def read(hotels, statement):
    with closing(psycopg2.connect(hotels.url)) as connection, connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall()


def read_all(hotels):
    """Every table as {key: row}."""
    return {table: {row[0]: row for row in read(hotels, f"select * from {table}")} for table in TABLES}


def test_it_starts_with_hotels_guests_and_a_thousand_reservations(hotels):
    tables = read_all(hotels)
    assert [row[2] for row in tables["hotels"].values()] == [hotel.name for hotel in HOTELS]
    assert len(tables["guests"]) >= 400
    assert 900 <= len(tables["reservations"]) <= 1300
    assert len(tables["payments"]) > 400


def test_every_state_of_a_reservation_occurs(hotels):
    assert {status for (status,) in read(hotels, "select distinct status from reservations")} == {
        *("BOOKED", "IN_HOUSE", "CHECKED_OUT", "CANCELLED", "NO_SHOW")
    }
    assert {status for (status,) in read(hotels, "select distinct status from payments")} == {
        *("CAPTURED", "DECLINED", "REFUNDED")
    }


def test_notes_tell_nothing_from_empty_and_hold_what_people_type(hotels):
    notes = {note for (note,) in read(hotels, "select distinct notes from reservations")}
    assert {None, "", "NULL"} < notes
    text = "".join(filter(None, notes))
    assert all(character in text for character in '\n\t\\",—')


def test_it_cannot_be_reached_over_the_network(hotels):
    assert read(hotels, "show listen_addresses") == [("",)]


def test_nothing_is_later_than_the_day(hotels):
    now = datetime.combine(hotels.today, datetime.min.time(), UTC)
    for table in TABLES:
        ((created_at, updated_at, wrong),) = read(
            hotels,
            f"select max(created_at), max(updated_at), count(*) filter (where updated_at < created_at) from {table}",
        )
        assert created_at <= updated_at < now
        assert wrong == 0


def test_a_day_changes_rows_and_every_changed_row_moves_its_updated_at(hotels):
    for _ in range(7):
        before = read_all(hotels)
        day = datetime.combine(hotels.today, datetime.min.time(), UTC)
        hotels.live_a_day()
        after = read_all(hotels)
        for table, rows in after.items():
            assert before[table].keys() <= rows.keys()
            changed = [key for key, row in rows.items() if before[table].get(key) != row]
            assert all(day <= rows[key][-1] < day + timedelta(days=1) for key in changed)
            assert all(rows[key][-1] > before[table][key][-1] for key in changed if key in before[table])


def test_a_week_brings_guests_stays_cancellations_and_payments(hotels):
    since = hotels.today
    for _ in range(7):
        hotels.live_a_day()
    for column in ("booked_at", "checked_in_at", "checked_out_at", "cancelled_at"):
        day = f"({column} at time zone 'UTC')::date"
        ((days,),) = read(hotels, f"select count(distinct {day}) from reservations where {day} >= '{since}'")
        assert days == 7
    for table in ("guests", "payments"):
        assert read(hotels, f"select count(*) > 7 from {table} where created_at >= '{since}Z'") == [(True,)]


def test_now_and_then_a_hotel_is_deactivated_and_comes_back(hotels):
    closed = set()
    for _ in range(6):
        hotels.live_a_day()
        ((count,),) = read(hotels, "select count(*) from hotels where not is_active")
        closed.add(count)
    assert closed == {0, 1}


def test_a_guest_checks_in_before_checking_out_and_pays_what_the_stay_costs(hotels):
    assert read(hotels, "select count(*) from reservations where checked_out_at <= checked_in_at") == [(0,)]
    assert read(
        hotels,
        """
        select count(*)
        from reservations
        left join (
            select reservation_id, sum(amount_usd) as paid_usd
            from payments
            where status = 'CAPTURED'
            group by reservation_id
        ) as paid using (reservation_id)
        where status = 'CHECKED_OUT' and amount_usd is distinct from paid_usd
        """,
    ) == [(0,)]


def test_the_same_seed_and_day_give_the_same_rows(directory, lived):
    with HotelDatabase(directory / "twin", today=TODAY) as twin:
        assert read_all(twin) != lived.rows
        twin.live_a_day()
        twin.live_a_day()
        assert read_all(twin) == lived.rows
    assert HotelBooks(TODAY, seed=7).tables == HotelBooks(TODAY, seed=7).tables
    assert HotelBooks(TODAY, seed=7).tables != HotelBooks(TODAY, seed=8).tables


def test_opened_again_it_lives_the_days_between_and_never_goes_back(directory, lived):
    for today in (TODAY, TODAY + timedelta(days=2)):
        with HotelDatabase(directory / "again", today=today) as hotels:
            rows = read_all(hotels)
    assert rows == lived.rows
    with pytest.raises(ValueError, match="has lived until 2026-02-01, later than 2026-01-31"):
        HotelDatabase(directory / "again", today=TODAY).__enter__()


def test_a_stopped_server_is_gone(directory, lived):
    assert not (directory / "lived" / "postmaster.pid").exists()
    with pytest.raises(psycopg2.OperationalError):
        psycopg2.connect(lived.url)


def test_a_directory_with_a_space_is_refused(directory):
    with pytest.raises(ValueError, match="no space in its path"):
        HotelDatabase(directory / "a b", today=TODAY).__enter__()
