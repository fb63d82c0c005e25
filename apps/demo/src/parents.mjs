// Plain JavaScript: remembered before anything is built, because npm may be gone by the time that is done.
import { readFileSync } from 'node:fs'

/**
 * Name and parent of a process, from the one system that reports it without another program.
 *
 * @param {number} processId
 */
function lookAt(processId) {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'utf8')
    const [, parentId = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')), parentId: Number(parentId) }
  } catch {
    return null
  }
}

const shells = new Set(['sh', 'dash', 'ash', 'bash', 'busybox', 'zsh', 'ksh'])

/**
 * Says whether npm, which started this process, is gone. Some shells stay between the two and outlive npm, so their
 * parent is looked at as well. Whoever runs without npm, as under nohup, is never alone.
 *
 * @returns {() => boolean}
 */
export function rememberParents() {
  if (process.env['npm_lifecycle_event'] === undefined) return () => false
  const parentId = process.ppid
  const parent = lookAt(parentId)
  const ofShell = parent !== null && shells.has(parent.name) ? parent.parentId : null
  return () =>
    process.ppid !== parentId || (ofShell !== null && (lookAt(parentId)?.parentId ?? null) !== ofShell)
}
