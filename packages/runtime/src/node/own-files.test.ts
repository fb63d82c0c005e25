import { spawn } from 'node:child_process'
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assertFolder, createFiles, hasOwnList, removeOwn, updateFolder } from './own-files.ts'
import { createFile, ForeignFileError, moveFile, replaceFile } from './plain-files.ts'

const LIST = '.hailstone-files.json'
let above: string
let folder: string
beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'own-files-'))
  folder = join(above, 'ours')
})
afterEach(() => rm(above, { recursive: true, force: true }))

const encoder = new TextEncoder()
const files = (content: Readonly<Record<string, string>>) =>
  new Map(Object.entries(content).map(([path, text]) => [path, encoder.encode(text)]))
const read = (path: string) => readFile(join(folder, path), 'utf8')
const names = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted()

describe('a folder that is written again', () => {
  it('loses what is no longer written, with the folders that are empty then, and nothing of others', async () => {
    await updateFolder(folder, files({ 'a.txt': '1', 'sub/deep/b.txt': '2', 'kept/c.txt': '3' }))
    await mkdir(join(folder, '.git'))
    await writeFile(join(folder, '.git/HEAD'), 'ref')
    await writeFile(join(folder, 'CNAME'), 'app.example')
    await writeFile(join(folder, 'kept/own.txt'), 'theirs')
    expect(await updateFolder(folder, files({ 'a.txt': '9' }))).toStrictEqual([])
    expect(await names()).toStrictEqual(['.git/HEAD', LIST, 'CNAME', 'a.txt', 'kept/own.txt'])
    expect(await readdir(folder)).not.toContain('sub')
    expect(await read('a.txt')).toBe('9')
  })

  it('keeps and names what is no longer written and was changed since', async () => {
    await updateFolder(folder, files({ 'a.txt': '1', 'b.txt': '2', 'c.txt': '3' }))
    await writeFile(join(folder, 'b.txt'), 'theirs')
    await rm(join(folder, 'c.txt'))
    await symlink('/', join(folder, 'c.txt'))
    expect(await updateFolder(folder, files({ 'a.txt': '1' }))).toStrictEqual(['b.txt', 'c.txt'])
    expect(await read('b.txt')).toBe('theirs')
    // Of nobody's list by now, they are in the way.
    await expect(updateFolder(folder, files({ 'b.txt': '2' }))).rejects.toThrow(/b.txt is of somebody else/)
  })

  describe('that gives a file another name of its own, as on disks where case does not matter', () => {
    beforeEach(async () => {
      await updateFolder(folder, files({ 'Logo.svg': '1', 'a.txt': '1' }))
      await link(join(folder, 'Logo.svg'), join(folder, 'logo.svg'))
    })

    it('keeps it with the same content', async () => {
      expect(await updateFolder(folder, files({ 'logo.svg': '1' }))).toStrictEqual([])
      expect(await read('logo.svg')).toBe('1')
      // Where both are one name, this is the file.
      expect(await read('Logo.svg')).toBe('1')
      expect(await names()).not.toContain('a.txt')
    })

    it('writes another content', async () => {
      expect(await updateFolder(folder, files({ 'logo.svg': '2' }))).toStrictEqual([])
      expect(await read('logo.svg')).toBe('2')
    })

    it('does not keep the content of before', async () => {
      await updateFolder(folder, files({ 'logo.svg': '2' }), false)
      expect(JSON.parse(await read(LIST)).files.map(([path]: [string]) => path)).toStrictEqual([
        'a.txt',
        'logo.svg',
      ])
    })
  })

  it('names a way out for files of a version that kept no list', async () => {
    await mkdir(join(folder, 'etc'), { recursive: true })
    await writeFile(join(folder, 'etc/Caddyfile'), 'old')
    await writeFile(join(folder, "it's"), 'old')
    const content = files({ 'etc/Caddyfile': 'new', "it's": 'new' })
    const wanted = `etc/Caddyfile, it's would be replaced, and no list is kept here that says who wrote it. Move it away first; if an earlier version wrote it, remove it: cd ${folder} && rm etc/Caddyfile 'it'\\''s'`
    await expect(assertFolder(folder, content)).rejects.toThrow(wanted)
    await expect(updateFolder(folder, content)).rejects.toThrow(wanted)
    await rm(join(folder, 'etc/Caddyfile'))
    await rm(join(folder, "it's"))
    expect(await updateFolder(folder, content)).toStrictEqual([])
  })

  it('is looked at without being made', async () => {
    await assertFolder(folder, files({ a: '1' }))
    expect(await readdir(above)).toStrictEqual([])
  })

  it('keeps what earlier calls wrote where that is wanted', async () => {
    await updateFolder(folder, files({ 'a.txt': '1', 'b.txt': '2' }))
    await updateFolder(folder, files({ 'c.txt': '3' }), false)
    await updateFolder(folder, files({ 'c.txt': '4' }))
    expect(await names()).toStrictEqual([LIST, 'c.txt'])
  })

  it.each(['{', '[]', '{"format":1,"files":[["../x","aa"]]}', '{"format":2,"files":[]}'])(
    'takes the list of somebody else for no list: %s',
    async (text) => {
      await mkdir(folder)
      await writeFile(join(folder, LIST), text)
      expect(await hasOwnList(folder)).toBe(false)
      await expect(updateFolder(folder, files({ a: '1' }))).rejects.toThrow(`${LIST} is of somebody else`)
      expect(await read(LIST)).toBe(text)
    },
  )

  it('removes nothing outside of it or in a repository, whatever a list says', async () => {
    const digest = '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b'
    await writeFile(join(above, 'outside'), '1')
    await mkdir(join(folder, '.git'), { recursive: true })
    await writeFile(join(folder, '.git/config'), '1')
    await symlink(above, join(folder, 'link'))
    const paths = ['../outside', '.git/config', '.GIT/config', 'link/outside', join(above, 'outside')]
    await writeFile(
      join(folder, LIST),
      JSON.stringify({ format: 1, files: paths.map((path) => [path, digest]) }),
    )
    await updateFolder(folder, new Map())
    expect(await readFile(join(above, 'outside'), 'utf8')).toBe('1')
    expect(await read('.git/config')).toBe('1')
  })

  it('is whole after a process that was killed while it wrote, whichever place that was', async () => {
    const module = fileURLToPath(new URL('../../dist/node.js', import.meta.url))
    const many = (text: string, count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`part${index % 9}/${index}`, text + index]),
      )
    await updateFolder(folder, files(many('old', 150)))
    await writeFile(join(folder, 'own.txt'), 'theirs')
    for (const [round, needed] of ['part1/10', 'part3/120', 'part8/197'].entries()) {
      const script = `import { updateFolder } from ${JSON.stringify(module)}
        import { readFileSync } from 'node:fs'
        const many = ${many}
        const encoder = new TextEncoder()
        setInterval(() => {
          try {
            if (readFileSync(${JSON.stringify(join(folder, needed))}, 'utf8').startsWith('v${round}'))
              process.kill(process.pid, 'SIGKILL')
          } catch {}
        })
        await updateFolder(${JSON.stringify(folder)},
          new Map(Object.entries(many('v${round}', 200)).map(([path, text]) => [path, encoder.encode(text)])))
        process.kill(process.pid, 'SIGKILL')`
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
      await new Promise((resolve) => child.on('close', resolve))
      expect(child.signalCode).toBe('SIGKILL')
    }
    expect(await updateFolder(folder, files(many('new', 120)))).toStrictEqual([])
    expect(await names()).toStrictEqual([LIST, 'own.txt', ...Object.keys(many('', 120))].toSorted())
    expect(await read('part2/2')).toBe('new2')
  })
})

describe('files where nothing is', () => {
  it('are removed again if one of them cannot be written, with the folders that were made', async () => {
    const content = files({ 'a/one': '1', 'a/one/below': '2' })
    await expect(createFiles(join(folder, 'x/y'), content)).rejects.toThrow('a/one is no folder')
    expect(await readdir(above)).toStrictEqual([])
    await mkdir(folder)
    await writeFile(join(folder, 'own'), 'theirs')
    await expect(createFiles(folder, content)).rejects.toThrow('a/one is no folder')
    expect(await names()).toStrictEqual(['own'])
  })

  it('stay as they are where they may, and are refused elsewhere before anything is written', async () => {
    await mkdir(folder)
    await writeFile(join(folder, '.gitignore'), 'theirs')
    const content = files({ a: '1', '.gitignore': 'ours' })
    await expect(createFiles(folder, content)).rejects.toThrow('.gitignore is there already')
    expect(await names()).toStrictEqual(['.gitignore'])
    expect(await createFiles(folder, content, ['.gitignore'])).toStrictEqual(['.gitignore'])
    expect(await read('.gitignore')).toBe('theirs')
  })

  it('are removed by their list as long as they are unchanged', async () => {
    await createFiles(folder, files({ 'a/b': '1', c: '1' }))
    await writeFile(join(folder, 'c'), '2')
    const one = '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b'
    const list = ['a/b', 'c', 'gone'].map((path) => [path, one] as const)
    expect(await removeOwn(folder, new Map(list))).toStrictEqual(['c'])
    expect(await readdir(folder)).toStrictEqual(['c'])
  })
})

describe('a path', () => {
  const odd = ['..', '../x', 'a/../../x', '/x', 'a//x', '.git/x', 'a/.Git/x', 'a\\x', 'C:x', '', 'a/.']
  it.each(odd)('that leads elsewhere is refused: %j', async (path) => {
    const bytes = encoder.encode('1')
    await mkdir(folder)
    for (const write of [createFile, replaceFile])
      await expect(write(folder, path, bytes)).rejects.toBeInstanceOf(ForeignFileError)
    await writeFile(join(folder, 'from'), '1')
    await expect(moveFile(folder, 'from', path)).rejects.toBeInstanceOf(ForeignFileError)
    await expect(updateFolder(folder, new Map([[path, bytes]]))).rejects.toThrow('leads out of the folder')
    expect(await readdir(above)).toStrictEqual(['ours'])
  })

  it('keeps the rights of the file that is replaced', async () => {
    await createFile(folder, 's3.sh', encoder.encode('1'))
    await chmod(join(folder, 's3.sh'), 0o775)
    await replaceFile(folder, 's3.sh', encoder.encode('2'))
    expect((await stat(join(folder, 's3.sh'))).mode & 0o777).toBe(0o775)
  })

  it('of a folder that somebody names may be a link', async () => {
    await mkdir(folder)
    await symlink(folder, join(above, 'named'))
    await updateFolder(join(above, 'named'), files({ a: '1' }))
    expect(await read('a')).toBe('1')
  })
})
