# SPDX-License-Identifier: MIT
"""The ranks of the process that gdb looks at, and how each one stands."""
from . import memory


class Process:
    """All ranks at one stop."""

    def __init__(self):
        self.layout = memory.Layout()
        self.ranks = sorted(self._find(), key=lambda rank: rank.number)

    def _find(self):
        y = self.layout
        for cluster in range(y["HAL_CLUSTERS_MAX"]):
            row = memory.word(y["&rows"] + cluster * memory.WORD)
            for slot in range(memory.word(y["&row_slots"], 4) if row else 0):
                rank = y.word(row + slot * y["image_slot"], "image_slot.rank")
                if rank:
                    yield Rank(y, rank)

    @property
    def cycle(self):
        """Virtual time; None: time is this computer's."""
        y = self.layout
        return y.word(y["&sim"], "sim.now") if "&sim" in y else None

    def stopped(self):
        """(rank, cycle) if the job has stopped by mpiexec --break, else None."""
        y, stop = self.layout, self.layout["&stop"]
        if not y.word(stop, "image_stop.now", size=1):
            return None
        return y.int(stop, "image_stop.rank"), y.word(stop, "image_stop.cycle")

    @property
    def hz(self):
        y = self.layout
        return y.word(y["&sim"], "sim.machine", "hal_machine.hz")


class Rank:
    def __init__(self, layout, at):
        y = self.layout = layout
        self.number = y.int(at, "image_rank.place.rank")
        self.thread = y.word(at, "image_rank.thread")
        self.doing = y.word(at, "image_rank.doing")
        self.instance = y.word(at, "image_rank.instance")
        self.core = y.word(self.thread, "kern_thread.core")
        self.current = y.word(self.core, "kern_core.current") == self.thread

    def copy(self):
        """(where address 0 of its program's file is, the file or "" for the one that was started)
        of its own copy of the program; None: it runs the program as the system loaded it."""
        y = self.layout
        if not self.instance:
            return None
        program = y.word(self.instance, "image_instance.object")
        return y.word(self.instance, "image_instance.base"), y.text(program, "image_object.path")

    def own(self, address):
        """Where in its copy is what stands at an address of the program as the system loaded it;
        other addresses stay."""
        y = self.layout
        if not self.instance:
            return address
        program = y.word(self.instance, "image_instance.object")
        base, low, span = (y.word(program, "image_object." + m) for m in ("base", "low", "span"))
        inside = 0 <= address - (base + low) < span
        return address + y.word(self.instance, "image_instance.base") - base if inside else address

    def has_stack(self, sp):
        y = self.layout
        stack = y.word(self.thread, "kern_thread.stack")
        return stack <= sp < stack + y.word(self.thread, "kern_thread.stack_size")

    def os_thread(self):
        """The number that the system gives to the thread that runs its core; 0: all cores are one
        thread's."""
        y = self.layout
        if "&os_thread" not in y:
            return 0
        return memory.word(y["&os_thread"] + 4 * y.int(self.core, "kern_core.id"), 4)

    def _simulated(self):
        """Its core in virtual time, or None."""
        y = self.layout
        if "&sim" not in y:
            return None
        cluster = y.word(self.core, "kern_core.cluster")
        row = y.word(y["&sim"], "sim.clusters") + y.int(cluster, "cluster.id") * y["sim_cluster"]
        return y.word(row, "sim_cluster.cores") + y.int(self.core, "kern_core.id") * y["sim_core"]

    def context(self):
        """The stack pointer of its suspended context; None: it is where an OS thread is."""
        y = self.layout
        if not self.current:
            return y.word(self.thread, "kern_thread.context", "hal_context.sp")
        core = self._simulated()
        if core is None or core == y.word(y["&sim"], "sim.core"):
            return None
        return y.word(core, "sim_core.context", "hal_context.sp")

    def _ready(self):
        y, thread = self.layout, self.layout.word(self.core, "kern_core.ready")
        while thread and thread != self.thread:
            thread = y.word(thread, "kern_thread.next")
        return thread != 0

    def _waits_for(self):
        """What its thread waits for in the kernel's words; "": it does not."""
        y = self.layout
        for member, name in (("waits", "kern_wait.what"), ("user_waits", "k_wait.what"),
                             ("bell", "k_bell.what")):
            queue = y.word(self.thread, "kern_thread." + member)
            if queue:
                return y.text(queue, name) or member
        return y.text(self.thread, "kern_thread.asleep")

    def _call(self):
        """What it does in MPI: ("MPI_Recv", "from 3, tag 5, 4 bytes, MPI_COMM_WORLD", asks)."""
        y, doing = self.layout, self.doing
        call = y.text(doing, "mpu_doing.call") if doing else ""
        if not call:
            return None
        names = {y.constant("MPU_ANY"): "any"}
        peer, tag = (y.int(doing, "mpu_doing." + m) for m in ("peer", "tag"))
        comm = y.word(doing, "mpu_doing.comm")
        about = [] if comm == 0 else [y.text(comm, "mpu_comm.name")]
        if tag == y.constant("MPU_ALL"):
            about = [f"rank {peer}"]
        elif peer != y.constant("MPU_ALL"):
            about = [f"peer {names.get(peer, peer)}", f"tag {names.get(tag, tag)}",
                     f"{y.word(doing, 'mpu_doing.bytes')} bytes"] + about
        return call, ", ".join(about), y.word(doing, "mpu_doing.asks", size=1) != 0

    def state(self):
        """(how it stands, cycle since when or None)."""
        y, what, call = self.layout, self._waits_for(), self._call()
        since = y.word(self.thread, "kern_thread.since") if what and "&sim" in y else None
        where = call[0] + (f" ({call[1]})" if call[1] else "") if call else ""
        if self.current and not what and self.context() is None:
            return "running" + (f" in {where}" if where else ""), None
        if what:
            ready = self._ready()
            if where:
                return f"{'ready' if ready else 'waits'} in {where}", since
            return "ready" if ready else f"waits for {what}", since
        core = self._simulated()
        since = y.word(core, "sim_core.since") if core and self.current else None
        verb = "asks again and again" if call and call[2] else self._verb(core)
        return verb + (f" in {where}" if where else ""), since

    def _verb(self, core):
        """Of a thread that waits for its core, or keeps it busy while others run."""
        y = self.layout
        works = ("SIM_WORKING", "SIM_HEEDING")
        if core and self.current and y.int(core, "sim_core.state") in (y[w] for w in works):
            return "works"
        return "ready"
