import { createHash } from 'node:crypto'
import { lstat, realpath, rm, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import {
  createFile,
  draftOf,
  type ForeignCause,
  ForeignFileError,
  lookAt,
  type Obstacle,
  readPlain,
  replaceFile,
  rootOf,
} from './plain-files.ts'

/** Content of files by their path below a folder, with forward slashes. */
export type FileContents = ReadonlyMap<string, Uint8Array>

/** What a tool wrote into a folder: SHA-256 of each file, 64 hex digits, by its path below the folder. */
export type OwnList = ReadonlyMap<string, string>

/** Digests that a path may have and be ours. */
type Digests = ReadonlyMap<string, ReadonlySet<string>>

/** The list of a folder that a tool fills again and again: what it wrote there the last time. */
export type ListFile = {
  /** Path of the list below the folder. */
  readonly name: string
  /** Reads the list; null for another text. */
  readonly read: (bytes: Uint8Array) => OwnList | null
}

const digestOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const digestsOf = (files: FileContents): OwnList =>
  new Map([...files].map(([path, bytes]) => [path, digestOf(bytes)]))
const markOf = (text: string): string => text.slice(0, 16)

function together(...lists: readonly Iterable<readonly [string, string]>[]): Digests {
  const all = new Map<string, Set<string>>()
  for (const list of lists)
    for (const [path, digest] of list) all.set(path, (all.get(path) ?? new Set()).add(digest))
  return all
}

/**
 * Creates files where nothing has their names. If one cannot be written, those that were are removed again.
 *
 * @param mayStay paths of which a file that is there stays as it is. @default none
 * @returns the paths of such files
 * @throws {ForeignFileError} if anything else has the name of one; nothing is written then
 */
export async function createFiles(
  folder: string,
  files: FileContents,
  mayStay: readonly string[] = [],
): Promise<readonly string[]> {
  const made = await missingFolders(folder)
  const root = await rootOf(folder)
  const written = new Map<string, string>()
  try {
    const left = await staying(root, files, mayStay)
    for (const [path, bytes] of files) {
      if (left.includes(path)) continue
      await createFile(root, path, bytes)
      written.set(path, digestOf(bytes))
    }
    return left
  } catch (error) {
    await removeOwn(root, written)
    // Those with files of others by now stay.
    for (const path of made) await rmdir(path).catch(() => undefined)
    throw error
  }
}

async function staying(
  root: string,
  files: FileContents,
  mayStay: readonly string[],
): Promise<readonly string[]> {
  const left: string[] = []
  const obstacles: Obstacle[] = []
  for (const path of files.keys()) {
    const found = await lookAt(root, path)
    if (found === 'file' && mayStay.includes(path)) left.push(path)
    else if (found !== 'nothing') obstacles.push(found === 'file' ? { path, why: 'is there already' } : found)
  }
  if (obstacles.length > 0) throw new ForeignFileError(root, obstacles)
  return left
}

/** Returns a folder and those above it that are not there yet, the innermost first. */
async function missingFolders(folder: string): Promise<readonly string[]> {
  const path = resolve(folder)
  const isThere = await lstat(path).catch(() => null)
  return isThere === null && dirname(path) !== path ? [path, ...(await missingFolders(dirname(path)))] : []
}

/**
 * Removes the files of a list that are as they were written, and the folders that are empty then.
 *
 * @returns the paths of those that were changed since; they were left
 */
export const removeOwn = async (folder: string, list: OwnList): Promise<readonly string[]> =>
  removeUnchanged(await realpath(folder), together(list))

/** Identities of files below a folder, by path. Two paths with one identity are two names of one file. */
async function identitiesOf(root: string, paths: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const all = new Map<string, string>()
  for (const path of paths) {
    if ((await lookAt(root, path)) !== 'file') continue
    const { dev, ino } = await lstat(join(root, path), { bigint: true })
    all.set(path, `${dev}:${ino}`)
  }
  return all
}

/**
 * Returns the paths that are names of a file of `kept`. Where case does not matter, `Logo.svg` is such a name of
 * `logo.svg`.
 */
async function namesOfKept(
  root: string,
  paths: Iterable<string>,
  kept: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const files = new Set((await identitiesOf(root, kept)).values())
  const found = await identitiesOf(root, paths)
  return new Set([...found].flatMap(([path, identity]) => (files.has(identity) ? [path] : [])))
}

/** @param kept paths whose files stay, whatever other names they have. @default none */
async function removeUnchanged(
  root: string,
  digests: Digests,
  kept: Iterable<string> = [],
): Promise<readonly string[]> {
  const left: string[] = []
  const names = await namesOfKept(root, digests.keys(), kept)
  for (const [path, own] of digests) {
    if (names.has(path)) continue
    const bytes = await readPlain(root, path)
    if (bytes !== null && own.has(digestOf(bytes))) {
      await rm(join(root, path))
      await removeEmpty(root, dirname(path))
    } else if ((await lookAt(root, path)) !== 'nothing') left.push(path)
  }
  return left
}

/** Removes a folder and those above it, as far as they are empty. */
async function removeEmpty(root: string, path: string): Promise<void> {
  if (path === '.') return
  const isRemoved = await rmdir(join(root, path)).then(
    () => true,
    () => false,
  )
  if (isRemoved) await removeEmpty(root, dirname(path))
}

type Pairs = readonly (readonly [path: string, digest: string])[]

const printPairs = (files: Pairs): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify({ format: 1, files }, null, 1)}\n`)

function readPairs(bytes: Uint8Array): Pairs | null {
  try {
    const { format, files } = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    const isPair = (one: unknown): boolean =>
      Array.isArray(one) && typeof one[0] === 'string' && /^[0-9a-f]{64}$/.test(String(one[1]))
    return format === 1 && Array.isArray(files) && files.every(isPair) ? files : null
  } catch {
    return null
  }
}

/** List of a folder whose tool has none of its own kind. */
const FOLDER_LIST: ListFile = {
  name: '.hailstone-files.json',
  read: (bytes) => {
    const pairs = readPairs(bytes)
    return pairs === null ? null : new Map(pairs)
  },
}

/** The plan of an update: every digest that a path may have until the update is done. It outlives a crash. */
const planOf = ({ name }: ListFile): string => `${name}.next`

/** What is known to be ours in a folder. */
type Ownership = {
  readonly digests: Digests
  /** True if a list or a plan was found. */
  readonly isKnown: boolean
  readonly obstacles: readonly Obstacle[]
}

async function ownershipOf(root: string, list: ListFile): Promise<Ownership> {
  const places = [
    [list.name, list.read],
    [planOf(list), readPairs],
  ] as const
  const own: Iterable<readonly [string, string]>[] = []
  const obstacles: Obstacle[] = []
  for (const [path, read] of places) {
    const found = await lookAt(root, path)
    const bytes = await readPlain(root, path)
    const pairs = bytes === null ? null : read(bytes)
    if (pairs !== null) own.push(pairs)
    else if (found !== 'nothing') obstacles.push(found === 'file' ? { path, why: FOREIGN } : found)
  }
  return { digests: together(...own), isKnown: own.length > 0, obstacles }
}

const FOREIGN = 'is of somebody else'

/** Returns what stands in the way of files: links, and files that are neither ours nor what would be written. */
async function obstaclesTo(
  root: string,
  files: FileContents,
  digests: Digests,
): Promise<readonly Obstacle[]> {
  const obstacles: Obstacle[] = []
  const owned = await identitiesOf(root, digests.keys())
  const aliases = await identitiesOf(
    root,
    [...files.keys()].filter((path) => !digests.has(path)),
  )
  const ownOf = (path: string): ReadonlySet<string> | undefined => {
    const alias = [...owned].find(([, identity]) => identity === aliases.get(path))?.[0]
    return digests.get(alias ?? path)
  }
  for (const [path, bytes] of files) {
    const found = await lookAt(root, path)
    if (typeof found !== 'string') obstacles.push(found)
    const there = await readPlain(root, path)
    if (there === null) continue
    const own = ownOf(path)
    if (digestOf(there) === digestOf(bytes) || own?.has(digestOf(there)) === true) continue
    obstacles.push({ path, why: own === undefined ? FOREIGN : 'was changed since it was written' })
  }
  return obstacles
}

/** Removes drafts that a crash left. Their names follow from the plan. */
async function removeDrafts(root: string, list: ListFile, digests: Digests): Promise<void> {
  const lists = [list.name, planOf(list)].map((name) => [name, new Set([digestOf(name)])] as const)
  for (const [path, own] of [...digests, ...lists])
    for (const digest of own) {
      const draft = draftOf(path, markOf(digest))
      if ((await lookAt(root, draft)) === 'file') await rm(join(root, draft), { force: true })
    }
}

/**
 * Returns what is known to be ours in a folder.
 *
 * @throws {ForeignFileError} if something is in the way of an update
 */
async function ownDigests(
  root: string,
  { list, files, beside = new Map() }: UpdateOwnFilesParameters,
): Promise<Digests> {
  const { digests, isKnown, obstacles } = await ownershipOf(root, list)
  const companions = new Map([...beside.keys()].map((path) => [path, new Uint8Array()] as const))
  const odd = (await obstaclesTo(root, companions, new Map())).filter(
    ({ why }) => !(isKnown && why === FOREIGN),
  )
  const inTheWay = await obstaclesTo(root, files, digests)
  const all = [...obstacles, ...inTheWay, ...odd]
  // A folder without any list can be of a version that kept none.
  const isUnlisted = !isKnown && obstacles.length === 0 && all.every(({ why }) => why === FOREIGN)
  const cause: ForeignCause = isUnlisted ? 'unlisted' : 'foreign'
  if (all.length > 0) throw new ForeignFileError(root, all, cause)
  return digests
}

/** New files of a folder, their list as it is written, and what belongs to the list without being in it. */
export type UpdateOwnFilesParameters = {
  readonly folder: string
  readonly list: ListFile
  readonly files: FileContents
  readonly bytes: Uint8Array
  /** Such as a signature of the list. Null removes a file. @default none */
  readonly beside?: ReadonlyMap<string, Uint8Array | null>
}

/**
 * Writes files into a folder that holds files of others as well: replaces what an earlier call wrote, and removes what it
 * wrote and this one does not. Everything else stays, and is in the way where it has a name that is to be written. A call
 * that was ended half-way is completed by the next one.
 *
 * @returns the paths that the earlier call wrote, this one does not, and somebody changed: they were left
 * @throws {ForeignFileError} if something is in the way; nothing is written then
 */
export async function updateOwnFiles(parameters: UpdateOwnFilesParameters): Promise<readonly string[]> {
  const { list, files, bytes, beside = new Map<string, Uint8Array | null>() } = parameters
  const root = await rootOf(parameters.folder)
  const digests = await ownDigests(root, parameters)
  const writeList = (name: string, content: Uint8Array): Promise<void> =>
    replaceFile(root, name, content, markOf(digestOf(name)))

  await removeDrafts(root, list, digests)
  const fresh = digestsOf(files)
  const allDigests = together(
    [...digests].flatMap(([path, own]) => [...own].map((digest) => [path, digest] as const)),
    fresh,
  )
  const planned = [...allDigests].flatMap(([path, own]) => [...own].map((digest) => [path, digest] as const))
  await writeList(planOf(list), printPairs(planned))
  for (const [path, content] of files) {
    const there = await readPlain(root, path)
    const digest = digestOf(content)
    if (there === null || digestOf(there) !== digest) await replaceFile(root, path, content, markOf(digest))
  }
  const gone = new Map([...digests].filter(([path]) => !fresh.has(path)))
  const left = await removeUnchanged(root, gone, fresh.keys())
  for (const path of beside.keys()) await rm(join(root, path), { force: true })
  await writeList(list.name, bytes)
  for (const [path, content] of beside) if (content !== null) await writeList(path, content)
  await rm(join(root, planOf(list)))
  return left
}

/**
 * Makes sure that nothing is in the way of an update, and writes nothing.
 *
 * @throws {ForeignFileError} if something is
 */
export async function assertOwnFiles(parameters: UpdateOwnFilesParameters): Promise<void> {
  const root = await realpath(parameters.folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (root !== null) await ownDigests(root, parameters)
}

const folderUpdate = (folder: string, files: FileContents): UpdateOwnFilesParameters => {
  const pairs = [...digestsOf(files)].sort(([one], [two]) => (one < two ? -1 : 1))
  return { folder, list: FOLDER_LIST, files, bytes: printPairs(pairs) }
}

/** As {@link assertOwnFiles}, for {@link updateFolder}. */
export const assertFolder = (folder: string, files: FileContents): Promise<void> =>
  assertOwnFiles(folderUpdate(folder, files))

/**
 * Writes files as {@link updateOwnFiles} does, with a list named `.hailstone-files.json`.
 *
 * @param isWhole false keeps what earlier calls wrote and this one does not. @default true
 */
export async function updateFolder(
  folder: string,
  files: FileContents,
  isWhole = true,
): Promise<readonly string[]> {
  const root = await rootOf(folder)
  const { digests } = await ownershipOf(root, FOLDER_LIST)
  const kept = new Map<string, Uint8Array>()
  if (!isWhole) {
    const rewritten = await namesOfKept(root, digests.keys(), files.keys())
    for (const [path, own] of digests) {
      const bytes = files.has(path) || rewritten.has(path) ? null : await readPlain(root, path)
      if (bytes !== null && own.has(digestOf(bytes))) kept.set(path, bytes)
    }
  }
  return updateOwnFiles(folderUpdate(root, new Map([...kept, ...files])))
}

/** Returns true if a folder has the list of a tool, or what a call of it left that was ended half-way. */
export const hasOwnList = async (folder: string, list: ListFile = FOLDER_LIST): Promise<boolean> =>
  (await ownershipOf(folder, list)).isKnown
