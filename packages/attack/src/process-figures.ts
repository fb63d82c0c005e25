import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** Resident memory and open files of another process of this user, as Linux counts them. */
export type ProcessFigures = {
  readonly residentMegabytes: number
  /** Largest resident memory since `resetPeak`. */
  readonly peakMegabytes: number
  readonly openFiles: number
}

const NOTHING: ProcessFigures = {
  residentMegabytes: Number.NaN,
  peakMegabytes: Number.NaN,
  openFiles: Number.NaN,
}

/** Returns NaN for each figure where the system does not report it or the process is gone. */
export function figuresOf(pid: number): ProcessFigures {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const megabytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 'NaN') / 1024
    return {
      residentMegabytes: megabytes('VmRSS'),
      peakMegabytes: megabytes('VmHWM'),
      openFiles: readdirSync(`/proc/${pid}/fd`).length,
    }
  } catch {
    return NOTHING
  }
}

/** Largest number of open files of this process; 1,024 where the system does not report it. */
export function openFilesLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
  } catch {
    return 1024
  }
}

/** Makes the present memory of a process its peak. */
export function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // Elsewhere the peak counts from the start of the process, which can only make it larger.
  }
}

/** Processor time of this process in ms. A busy machine changes it little, unlike the time on the wall. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Processor time of this thread in ms; where the system does not report it, of the process with its collector and compiler. */
export function threadMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  } catch {
    return cpuMs()
  }
}
