# SPDX-License-Identifier: MIT
"""The table of published beside measured: every target, what measures it, and how that went."""
import csv
import os

import conditions
import experiment
import measure

HEAD = ("id", "what", "published", "measured", "wanted", "role", "met", "ran on",
        "computation")


def show(value, half):
    digits = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return digits if half < abs(value) * 5e-4 else f"{digits} ± {half:.2g}"


def verdict(row, target, mean):
    """'no' for what misses, 'differs' for what lies on purpose beside a published value, 'yes'
    only for what could have missed by itself, 'short' for what was not run at its size, '-' for
    what the model was told, '' without a target."""
    if target is None or target.limits() is None:
        return ""
    if experiment.is_short(row.value):
        return "short"
    if not target.holds(mean):
        return "differs" if row.role == "design" and target.two_sided() else "no"
    return "-" if row.role in ("input", "fit") else "yes"


def arrange(rows, targets):
    """[(target or None, row or None)]: the targets in their order, after those of one id the rows
    that are beside them, at the end the rows without an id."""
    of_place = {(row.id, row.part): row for row in rows}
    wanted = {(target.id, target.part) for target in targets}
    lines = []
    for number in dict.fromkeys([target.id for target in targets] + [""]):
        lines += [(target, of_place.get((target.id, target.part)))
                  for target in targets if target.id == number]
        lines += [(None, row) for row in rows
                  if row.id == number and (row.id, row.part) not in wanted]
    return lines


class Line:
    """A line of the table."""

    def __init__(self, found, target, row):
        about = target or row
        self.id, self.part = about.id, about.part
        self.what = f"{target.experiment}: {target.part}" if target else f"beside: {row.part}"
        self.published, self.wanted = (target.published, target.wanted()) if target else ("", "")
        self.row, self.mean, self.half, self.unit, self.met = row, None, None, "", ""
        self.role = row.role if row else ""
        self.ran = conditions.on(found, row.value) if row else ""
        self.computation = conditions.computation(found, [row.value]) if row else ""
        self.problems = conditions.problems(found, row.value) if row else ""
        self.seeds = 0
        if row is None:
            self.met = "not done"
            return
        result = experiment.evaluate(found, row.value)
        if result is None:
            self.met = "failed"
            return
        (self.mean, self.half), self.unit = measure.interval(result[0]), result[1]
        self.seeds = len(result[0])
        self.met = verdict(row, target, self.mean)

    def shown(self):
        value = "" if self.mean is None else show(self.mean, self.half)
        return (self.id, self.what, self.published, value, self.wanted, self.role, self.met,
                self.ran, self.computation)

    def cells(self):
        number = ("", "") if self.mean is None else (f"{self.mean:.6g}", f"{self.half:.3g}")
        programs = experiment.programs_of(self.row.value) if self.row else []
        return (self.id, self.what, self.published, *number, self.unit, self.wanted, self.role,
                self.met, self.seeds or "", self.ran, self.computation, self.problems,
                "; ".join(dict.fromkeys(programs)))


CELLS = ("id", "what", "published", "mean", "confidence95", "unit", "wanted", "role", "met",
         "seeds", "ran on", "computation", "problem", "programs")


def remarks(lines, notes, not_done):
    """What the table cannot say: inputs, designs, what is not done, and the notes, by id."""
    said = []
    for line in lines:
        if line.row is None:
            why = not_done.get((line.id, line.part)) or not_done.get(line.id)
            said.append(f"{line.id}: not done: {why}")
        elif line.row.why:
            said.append(f"{line.id}: {line.role}: {line.row.why}")
    said += [f"{number}: {note}" for number, note in notes.items()
             if any(line.id == number and line.mean is not None for line in lines)]
    return sorted(dict.fromkeys(said), key=lambda text: text.split(":")[0])


def make(found, rows, targets):
    """The lines of the table."""
    return [Line(found, target, row) for target, row in arrange(rows, targets)]


def tell(lines, said):
    """Prints the table, and what it cannot say."""
    shown = [HEAD, *(line.shown() for line in lines)]
    widths = [max(map(len, column)) for column in zip(*shown)]
    for cells in shown:
        print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip())
    print()
    for remark in said:
        print(remark)
    for role, meaning in experiment.ROLES.items():
        print(f"{role}: {meaning}")


def path(out, name, kind):
    return os.path.join(out, f"{name}.{kind}")


def write(out, name, head, rows):
    with open(path(out, name, "csv"), "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)
