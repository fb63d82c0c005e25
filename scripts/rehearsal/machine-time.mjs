// Machine time: CPU seconds, user and system, of everything that a step starts. What else the machine does changes it
// little, so that it can be judged on a busy one.
import { readdirSync, readFileSync } from 'node:fs'

/** Unit of the times in /proc: the kernel gives programs hundredths of a second on every architecture of Node. */
const TICKS = 100

/** Returns the fields behind the name of the command, which may have spaces; none for a process that has ended. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, , group, , , , , , , , , ...times] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user, system, userOfEnded, systemOfEnded] = times.map(Number)
    return { group: Number(group), own: user + system, ended: userOfEnded + systemOfEnded }
  } catch {
    return undefined
  }
}

/** Ticks of the processes of a group that run, with those that they started and that have ended. */
function ticksOfGroup(group) {
  const running = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return running
    .map(statOf)
    .filter((stat) => stat?.group === group)
    .reduce((sum, { own, ended }) => sum + own + ended, 0)
}

/**
 * Begins to measure. The returned function returns the seconds of all commands that have ended since, and of the
 * group that still runs; undefined on systems without /proc. No other command may end meanwhile.
 */
export function measureMachineTime() {
  const before = statOf('self')
  return (group) => {
    if (before === undefined) return undefined
    return (statOf('self').ended - before.ended + ticksOfGroup(group)) / TICKS
  }
}
