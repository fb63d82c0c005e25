// The release on GitHub: a draft that gets its files and is published then. One that was begun is completed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const digestOf = (path) => `sha256:${createHash('sha256').update(readFileSync(path)).digest('hex')}`

function gh(...words) {
  const { status, stdout, stderr, error } = spawnSync('gh', words, { encoding: 'utf8' })
  return { isDone: status === 0, stdout, said: error?.message ?? `${stdout}${stderr}`.trim() }
}

/** @throws {Error} with what the program said */
function done(...words) {
  const { isDone, stdout, said } = gh(...words)
  if (!isDone) throw new Error(`gh ${words.slice(0, 3).join(' ')} failed: ${said}`)
  return stdout
}

/** Returns the release of a tag, or null. */
function releaseOf(tag) {
  const { isDone, stdout, said } = gh('release', 'view', tag, '--json', 'isDraft,assets')
  if (isDone) return JSON.parse(stdout)
  if (/not found/i.test(said)) return null
  throw new Error(`GitHub was asked for the release ${tag}: ${said}`)
}

/** Returns the digest of an attached file: servers without it are asked for the bytes. */
function attachedDigest(tag, { name, digest }) {
  if (digest != null && digest !== '') return digest
  const folder = mkdtempSync(join(tmpdir(), 'hailstone-attached-'))
  try {
    done('release', 'download', tag, '--pattern', name, '--dir', folder)
    return digestOf(join(folder, name))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns true if a file is attached. @throws {Error} if other bytes are attached under its name */
function isAttached(tag, path, assets) {
  const found = assets.find(({ name }) => name === basename(path))
  // An upload that was ended half-way has another state.
  if (found === undefined || (found.state ?? 'uploaded') !== 'uploaded') return false
  const digest = attachedDigest(tag, found)
  if (digest === digestOf(path)) return true
  throw new Error(`${found.name} of the release ${tag} has other bytes: ${digest}, and not ${digestOf(path)}`)
}

/**
 * Makes the release of a tag, or completes it: attaches the files that it lacks, and publishes it.
 *
 * @param say gets a line about each file
 * @throws {Error} if a file is attached with other bytes, or GitHub refuses
 */
export function completeRelease({ tag, notes, files, say }) {
  if (releaseOf(tag) === null) {
    const { isDone, said } = gh('release', 'create', tag, '--verify-tag', '--draft', '--notes-file', notes)
    // A request whose answer was lost may have been taken.
    if (!isDone && releaseOf(tag) === null) throw new Error(`the release ${tag} was not made: ${said}`)
  }
  const { assets, isDraft } = releaseOf(tag)
  const missing = files.filter((path) => {
    const isThere = isAttached(tag, path, assets)
    if (isThere) say(`${basename(path)} is attached already`)
    return !isThere
  })
  for (const path of missing) {
    done('release', 'upload', tag, path, '--clobber')
    say(`${basename(path)} is attached`)
  }
  if (isDraft) done('release', 'edit', tag, '--draft=false')
}
