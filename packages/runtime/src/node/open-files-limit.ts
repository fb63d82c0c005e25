import { readFileSync } from 'node:fs'

/** Limit on systems that do not report it: that of most systems. */
const USUAL_FILES = 4096

/** Returns the largest number of open files of this process. Node raises the soft limit to the hard one when it starts. */
export function openFilesLimit(): number {
  try {
    const limit = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    if (limit === 'unlimited') return Number.POSITIVE_INFINITY
    return limit === undefined ? USUAL_FILES : Number(limit)
  } catch {
    return process.platform === 'win32' ? Number.POSITIVE_INFINITY : USUAL_FILES
  }
}
