"""The lives that contacts lead, before any report shows them."""

from datetime import date

from demo.stories import tell_contact

DAY = date(2026, 1, 30)


def test_a_life_is_told_the_same_way_each_time():
    assert tell_contact(7, DAY, 12) == tell_contact(7, DAY, 12) != tell_contact(7, DAY, 13)


def test_events_follow_each_other_and_nobody_lives_for_23_hours():
    """The day on which clocks go forward is that short, and who waits when it begins has ended when it is over."""
    longest = 0
    for number in range(2000):
        moments = [event.at for event in tell_contact(7, DAY, number).events]
        assert moments == sorted(moments)
        longest = max(longest, moments[-1] - moments[0])
    assert 16 * 3_600_000 < longest < 23 * 3_600_000


def test_the_evenings_emails_wait_past_midnight_in_any_american_zone():
    for number in (1, 11, 21, 31):
        contact = tell_contact(7, DAY, number)
        hours = [(event.at / 3_600_000) % 24 for event in contact.events]
        assert contact.channel.name == "EMAIL"
        assert 17 <= hours[0] <= 18
        assert hours[-1] >= 8
        assert contact.events[-1].at // 86_400_000 == contact.events[0].at // 86_400_000 + 1


def test_contact_0_is_alone_in_its_conversation_however_large_the_desk():
    week = [date(2026, 1, 25 + place) for place in range(7)]
    firsts = {tell_contact(7, day, 0).conversation_id for day in week}
    others = {tell_contact(7, day, number).conversation_id for day in week for number in range(1, 400)}
    assert len(firsts) == 7
    assert not firsts & others


def test_a_large_desk_has_as_many_conversations_for_its_contacts_as_a_small_one():
    ratios = []
    for size in (40, 400):
        contacts = [tell_contact(7, date(2026, 1, 25 + place), number) for place in range(7) for number in range(size)]
        ratios.append(len({contact.conversation_id for contact in contacts}) / len(contacts))
    assert abs(ratios[0] - ratios[1]) < 0.05
