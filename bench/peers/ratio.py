# SPDX-License-Identifier: MIT
"""The arithmetic of the comparison: medians of turns, ratios, and what they say of a row."""
import collections
import math
import statistics

from job import Time

# value: ours / the best of the others. sign: '' exact, '<' or '>' where one was not waited for.
Ratio = collections.namedtuple("Ratio", "value sign")
# compared: points where others have a time; missing: those of them where we have none.
Verdict = collections.namedtuple("Verdict", "worst where compared missing above met")


def median(times):
    """Of the turns of one point. A point that was not waited for once is not measured again."""
    over = [time for time in times if time.over]
    return over[0] if over else Time(statistics.median(time.seconds for time in times), False)


def best(times):
    """The least of several libraries' times; one that is over its limit only if all are."""
    known = [time for time in times if not time.over] or list(times)
    return min(known, default=None)


def ratio(ours, theirs):
    """None if there is nothing to compare: no other, or both beyond their limits. Without a time
    of ours where others have one it is infinite."""
    other = best(theirs)
    if other is None or (ours is not None and ours.over and other.over):
        return None
    if ours is None:
        return Ratio(math.inf, ">")
    return Ratio(ours.seconds / other.seconds, ">" if ours.over else "<" if other.over else "")


def hidden(alone, behind, work):
    """Percent of an exchange that is hidden behind `work` seconds of computing."""
    return max(0.0, min(100.0, 100 * (1 - (behind - work) / alone)))


def verdict(ratios, limit):
    """Of {where: Ratio or None}: a row is met if every ratio is at most the limit. What is only
    known to be above some ratio is a miss, what is known to be below 1 or less is not."""
    known = {where: found for where, found in ratios.items() if found is not None}
    ours = {where: found for where, found in known.items() if found.value < math.inf}
    above = sum(found.sign == ">" or found.value > limit for found in known.values())
    where = max(ours, key=lambda key: (ours[key].sign == ">", ours[key].value), default=None)
    return Verdict(ours.get(where), where, len(known), len(known) - len(ours), above,
                   bool(known) and not above)
