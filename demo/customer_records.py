"""A customer as the nightly export tells of them on a day.

Two kinds of changes come to those who have not written: two days after a regular wrote, the address that the regular
wrote from the second time is taken away; and every 90 days somebody's record is changed, and the last change undone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date
from typing import Any

from demo.chance import roll
from demo.customers import CUSTOMERS_OF_A_BLOCK, REGULARS, customer_id, guest_of, is_regular
from demo.people import guest_email, guest_name, invent_name

ADDRESS_LOST_AFTER_DAYS = 2
_CHANGES_EVERY_DAYS = 90
_ADAPTORS = ("opera-pms", "Loyalty Club", "shop_orders")


def changed_customers(day: date) -> Iterator[str]:
    """Customers whose record changes on a day without their doing anything."""
    yield f"regular {(day.toordinal() - ADDRESS_LOST_AFTER_DAYS) % REGULARS}"
    for place in range(-day.toordinal() % _CHANGES_EVERY_DAYS, CUSTOMERS_OF_A_BLOCK, _CHANGES_EVERY_DAYS):
        yield str(place)


def customer_record(seed: int, customer: str, day: date) -> dict[str, Any]:
    """The record at the end of `day`; any field but id and name may be absent, and a list or map may be empty."""
    chance = roll(seed, "customer record", customer)
    guest = guest_of(customer)
    record: dict[str, Any] = {
        "id": customer_id(seed, customer),
        "name": guest_name(guest) if guest else invent_name(chance),
    }
    if chance.random() < 0.6:
        record["address"] = f"{chance.randint(1, 99)} Example Street,\n{chance.choice(('Springfield', 'Évora'))}"
    record |= _email_addresses(customer, day, chance)
    record |= _phone_numbers(chance)
    return record | _external_ids(chance)


def reply_address(record: dict[str, Any]) -> str:
    """Where an e-mail to the customer goes; some were seen once and are not in the record."""
    addresses = record.get("emailAddresses") or [f"seen-once-{record['id'][:6]}@post.example"]
    return str(addresses[0])


def reply_number(record: dict[str, Any]) -> str:
    """The telephone that the customer uses."""
    numbers = record.get("phoneNumbers") or ["+12025550100"]
    return str(numbers[0])


def _email_addresses(customer: str, day: date, chance: random.Random) -> dict[str, list[str]]:
    guest, kind = guest_of(customer), chance.random()
    first = guest_email(guest) if guest else f"customer{chance.randrange(10**6)}@post.example"
    second = first.replace("@", "+stay@")
    if is_regular(customer):
        has_both = (day.toordinal() - int(customer.removeprefix("regular "))) % REGULARS < ADDRESS_LOST_AFTER_DAYS
        return {"emailAddresses": [first, second] if has_both else [first]}
    if guest is None and kind < 0.1:
        return {}
    addresses = [first, second] if kind > 0.7 else [first]
    # A guest keeps the address that the hotels know.
    if _is_changed(customer, day) and (guest is None or len(addresses) > 1):
        addresses.pop()
    elif guest is None and kind < 0.2:
        addresses.clear()
    return {"emailAddresses": addresses}


def _is_changed(customer: str, day: date) -> bool:
    return customer.isdigit() and (day.toordinal() + int(customer)) // _CHANGES_EVERY_DAYS % 2 == 1


def _phone_numbers(chance: random.Random) -> dict[str, list[str]]:
    kind = chance.random()
    if kind < 0.2:
        return {}
    count = 0 if kind < 0.3 else 1 + (kind > 0.8)
    return {"phoneNumbers": [f"+1202555{chance.randint(100, 199):04d}" for _ in range(count)]}


def _external_ids(chance: random.Random) -> dict[str, Any]:
    """Adaptors of before May 2021 left one id as a text, later ones an id each."""
    kind = chance.random()
    if kind < 0.15:
        return {"externalCustomerId": f"C-{chance.randrange(10**5):05d}"}
    if kind < 0.35:
        return {}
    adaptors = _ADAPTORS[: chance.randint(0, len(_ADAPTORS))]
    return {"externalCustomerIds": {adaptor: f"{chance.randrange(10**6)}" for adaptor in adaptors}}
