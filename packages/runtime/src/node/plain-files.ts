import { randomBytes } from 'node:crypto'
import { lstat, open, readFile, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { CommandLineError } from './read-command-line.ts'
import { aboutPath, makeFolder, systemCause } from './system-fault.ts'

/** What stands in the way of a file: the path of the part that does, and the rest of a sentence about it. */
export type Obstacle = { readonly path: string; readonly why: string }

/** `unlisted`: no list is kept in the folder, so that the files may be of a version that kept none. */
export type ForeignCause = 'foreign' | 'unlisted'

const MAX_NAMED = 5
const LINK = 'is a link'

const moreThanNamed = ({ length }: readonly Obstacle[]): string =>
  length > MAX_NAMED ? ` and ${length - MAX_NAMED} more` : ''

function foreign(obstacles: readonly Obstacle[]): string {
  const named = obstacles.slice(0, MAX_NAMED).map(({ path, why }) => `${path} ${why}`)
  return `${named.join(', ')}${moreThanNamed(obstacles)}. Move that away first.`
}

/** A word of a command line. */
const quoted = (word: string): string =>
  /^[\w./+@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

function unlisted(folder: string, obstacles: readonly Obstacle[]): string {
  const paths = obstacles.map(({ path }) => path)
  const named = `${paths.slice(0, MAX_NAMED).join(', ')}${moreThanNamed(obstacles)}`
  const command = `cd ${quoted(folder)} && rm ${paths.map(quoted).join(' ')}`
  return `${named} would be replaced, and no list is kept here that says who wrote it. Move it away first; if an earlier version wrote it, remove it: ${command}`
}

/** Files in the way of a tool that it did not write, or links. */
export class ForeignFileError extends CommandLineError {
  /** Paths below the folder, with forward slashes. */
  readonly paths: readonly string[]
  constructor(folder: string, obstacles: readonly Obstacle[], cause: ForeignCause = 'foreign') {
    super(
      `Nothing was written into ${folder}: ${cause === 'foreign' ? foreign(obstacles) : unlisted(folder, obstacles)}`,
    )
    this.paths = obstacles.map(({ path }) => path)
  }
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException | null)?.code

/** Returns the parts of a path; null for one that leads elsewhere, or into a repository. */
function partsOf(path: string): readonly string[] | null {
  const parts = path.split('/')
  const isOdd = (part: string): boolean =>
    ['', '.', '..'].includes(part) || /[\\:\0]/.test(part) || part.toLowerCase() === '.git'
  return parts.some(isOdd) ? null : parts
}

/** Looks at each part of a path below a folder, so that no link on the way is followed. */
export async function lookAt(root: string, path: string): Promise<'file' | 'nothing' | Obstacle> {
  const parts = partsOf(path)
  if (parts === null) return { path, why: 'leads out of the folder' }
  for (const index of parts.keys()) {
    const here = parts.slice(0, index + 1).join('/')
    const isLast = index === parts.length - 1
    const found = await lstat(join(root, here)).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return null
      throw error
    })
    if (found === null) return 'nothing'
    if (found.isSymbolicLink()) return { path: here, why: LINK }
    if (isLast && found.isFile()) return 'file'
    if (isLast) return { path: here, why: found.isDirectory() ? 'is a folder' : 'is no file' }
    if (!found.isDirectory()) return { path: here, why: `is no folder: ${systemCause('ENOTDIR')}` }
  }
  return 'nothing'
}

/** @throws {ForeignFileError} if a link, a folder or the like is in the way */
async function assertPlain(root: string, path: string): Promise<'file' | 'nothing'> {
  const found = await lookAt(root, path)
  if (typeof found !== 'string') throw new ForeignFileError(root, [found])
  return found
}

/** @throws {ForeignFileError} that names everything but files and nothing at these paths below a folder */
export async function assertPlainFiles(folder: string, paths: Iterable<string>): Promise<void> {
  const root = await rootOf(folder)
  const obstacles: Obstacle[] = []
  for (const path of paths) {
    const found = await lookAt(root, path)
    if (typeof found !== 'string') obstacles.push(found)
  }
  if (obstacles.length > 0) throw new ForeignFileError(root, obstacles)
}

/** @throws {ForeignFileError} if a path below a folder is a link, or leads through one */
export async function assertNoLink(folder: string, path: string): Promise<void> {
  const found = await lookAt(folder, path)
  if (typeof found !== 'string' && found.why === LINK) throw new ForeignFileError(folder, [found])
}

/** Reads a file below a folder; null if it is missing, or a link stands on the way. */
export const readPlain = async (root: string, path: string): Promise<Uint8Array | null> =>
  (await lookAt(root, path)) === 'file' ? new Uint8Array(await readFile(join(root, path))) : null

/** Creates a folder if it is not there. Resolves to its own path: the folder that somebody names may be a link. */
export async function rootOf(folder: string): Promise<string> {
  await makeFolder(resolve(folder))
  return realpath(folder)
}

/** @param mode rights of the file that is replaced; undefined for those of a new one */
async function writeNew(path: string, bytes: Uint8Array, mode?: number): Promise<void> {
  const handle = await open(path, 'wx', mode)
  try {
    if (mode !== undefined) await handle.chmod(mode)
    await aboutPath(path, () => handle.writeFile(bytes))
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

/**
 * Creates a file below a folder, and the folders above it. Goes through no link below the folder.
 *
 * @throws {ForeignFileError} if anything has its name
 */
export async function createFile(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  const root = await rootOf(folder)
  const isThere = new ForeignFileError(root, [{ path, why: 'is there already' }])
  if ((await assertPlain(root, path)) === 'file') throw isThere
  const target = join(root, path)
  await makeFolder(dirname(target))
  await writeNew(target, bytes).catch((error: unknown) => {
    throw codeOf(error) === 'EEXIST' ? isThere : error
  })
}

/** Renames a file below a folder over another or over nothing. @throws {ForeignFileError} for anything else there */
export async function moveFile(folder: string, from: string, to: string): Promise<void> {
  const root = await rootOf(folder)
  for (const path of [from, to]) await assertPlain(root, path)
  await rename(join(root, from), join(root, to))
}

/** Returns the path of a file that is written aside first. */
export const draftOf = (path: string, mark: string): string =>
  [...path.split('/').slice(0, -1), `.${mark}.draft`].join('/')

/**
 * Writes a file below a folder whole or not at all, in place of one of that name. Goes through no link below the folder;
 * other names of a file with several keep their content.
 *
 * @param mark part of the name of the draft, which a crash can leave behind. @default random
 * @throws {ForeignFileError} if a link, a folder or the like is in the way
 */
export async function replaceFile(
  folder: string,
  path: string,
  bytes: Uint8Array,
  mark: string = randomBytes(8).toString('hex'),
): Promise<void> {
  const root = await rootOf(folder)
  const target = join(root, path)
  const mode = (await assertPlain(root, path)) === 'file' ? (await lstat(target)).mode & 0o777 : undefined
  await makeFolder(dirname(target))
  const draft = join(root, draftOf(path, mark))
  await writeNew(draft, bytes, mode)
  try {
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
