import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBrandEditor, wizardFields } from './brand-editor.ts'
import { appFolder } from './build-brand.ts'

const noShell = { mining: new Map(), wallet: new Map(), android: new Map() }
let above: string
let folder: string

beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'hailstone-editor-'))
  folder = join(above, 'tidewater')
  await cp(join(appFolder(), 'brands', 'tidewater'), folder, { recursive: true })
})
afterEach(() => rm(above, { recursive: true, force: true }))

const open = () =>
  openBrandEditor(
    { brandFolder: folder, environment: 'dev', target: 'web', flags: {}, out: undefined },
    noShell,
  )
const logo = wizardFields.find(({ path }) => path === 'assets.logo')
const drawing = (colour: string) =>
  new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 80"><path fill="${colour}" d="M20 70 60 10 100 70Z"/></svg>`,
  )

describe('the editor of a brand', () => {
  it('saves no file that another one has replaced', async () => {
    const editor = await open()
    if (logo === undefined) throw new Error('no logo')
    editor.take(logo, [{ name: 'Logo.PNG', bytes: new Uint8Array(50_000) }])
    expect(editor.view().isReady).toBe(false)
    editor.take(logo, [{ name: 'Logo.svg', bytes: drawing('#14532d') }])
    expect(editor.view().changes.map(({ path }) => path)).toEqual(['assets/logo.svg'])
    await editor.save()
    await expect(readFile(join(folder, 'assets/logo.png'))).rejects.toThrow('ENOENT')
    expect(await readFile(join(folder, 'assets/logo.svg'), 'utf8')).toContain('#14532d')
  })
})
