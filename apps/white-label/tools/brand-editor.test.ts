import { writeFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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
const file = () => readFile(join(folder, 'brand.ts'), 'utf8')

/** Changes the file as an editor beside the wizard does. */
const changeElsewhere = async (from: string, to: string): Promise<void> => {
  const text = await file()
  expect(text).toContain(from)
  await writeFile(join(folder, 'brand.ts'), text.replace(from, to))
}

const logo = wizardFields.find(({ path }) => path === 'assets.logo')
const drawing = (colour: string) =>
  new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 80"><path fill="${colour}" d="M20 70 60 10 100 70Z"/></svg>`,
  )

describe('the editor of a brand', () => {
  it('names no network for a new token while the one in the settings is not that of the last good state', async () => {
    const editor = await open()
    const devnet = editor.withoutToken()?.network
    expect(devnet?.preset).toBe('devnet')
    editor.change({ path: 'token.hash', value: 'none yet' })
    expect(editor.withoutToken()?.network).toEqual(devnet)
    editor.change({ path: 'network.preset', value: 'custom' })
    expect(editor.view().isReady).toBe(false)
    expect(editor.withoutToken()).toBeNull()
    editor.change({ path: 'network.preset', value: 'devnet' })
    expect(editor.withoutToken()?.network).toEqual(devnet)
  })

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

  it('refuses an icon that launchers would cut off, as a build does', async () => {
    const editor = await open()
    const icon = wizardFields.find(({ path }) => path === 'assets.icon')
    if (icon === undefined) throw new Error('no icon')
    const square = (inset: number) =>
      new TextEncoder().encode(
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="#0f4c5c"/><rect x="${inset}" y="${inset}" width="${100 - 2 * inset}" height="${100 - 2 * inset}" fill="#fff"/></svg>`,
      )
    const cut = () => editor.view().findings.filter(({ path }) => path === 'assets.icon')
    editor.take(icon, [{ name: 'icon.svg', bytes: square(5) }])
    expect([cut().map(({ code }) => code), editor.view().isReady]).toEqual([['E517'], false])
    await expect(editor.save()).rejects.toThrow('Fix the errors first.')
    editor.take(icon, [{ name: 'icon.svg', bytes: square(30) }])
    expect([cut(), editor.view().isReady]).toEqual([[], true])
  })

  it('finds what is missing at the settings of a group that has none left', async () => {
    const editor = await open()
    for (const { path } of wizardFields.filter((one) => /^(?:app|assets)\./.test(one.path)))
      editor.change({ path, value: null })
    const missing = editor.view().findings.filter(({ code }) => code === 'E009')
    expect(missing.map(({ path }) => path)).toEqual(['app.name', 'assets.logo', 'assets.icon'])
    expect(missing[0]?.expected).toContain('Name of the app')
  })

  it('takes in what was changed elsewhere, and saves it with its own change', async () => {
    const editor = await open()
    editor.change({ path: 'app.name', value: 'Kelp' })
    await changeElsewhere('#0e7c8c', '#1d7a46')
    expect(await editor.save()).toEqual({ saved: 'brand.ts', isChangedElsewhere: true })
    expect(editor.view().values).toMatchObject({ 'app.name': 'Kelp', 'theme.primary': '#1d7a46' })
    expect(editor.view().changes).toEqual([])
    expect(await file()).toContain("name: 'Kelp'")
    expect(await file()).toContain('#1d7a46')
  })

  it('saves nothing while what was changed elsewhere is wrong, and shows it', async () => {
    const editor = await open()
    editor.change({ path: 'app.name', value: 'Kelp' })
    await changeElsewhere('#0e7c8c', '#ffe600')
    const before = await file()
    expect(await editor.save()).toEqual({ saved: null, isChangedElsewhere: true })
    expect(await file()).toBe(before)
    const { values, findings, isReady, changes } = editor.view()
    expect(values['theme.primary']).toBe('#ffe600')
    expect(findings.map(({ code }) => code)).toContain('E402')
    expect([isReady, changes.map(({ path }) => path)]).toEqual([false, ['app.name']])
    // Mended in the wizard, both are saved.
    editor.change({ path: 'theme.primary', value: '#1d7a46' })
    expect(await editor.save()).toEqual({ saved: 'brand.ts', isChangedElsewhere: false })
    expect(await file()).toContain('#1d7a46')
  })

  it('checks what was changed elsewhere while it saves, and saves nothing that is wrong', async () => {
    const editor = await open()
    if (logo === undefined) throw new Error('no logo')
    editor.change({ path: 'app.name', value: 'Kelp' })
    editor.take(logo, [{ name: 'Logo.svg', bytes: drawing('#14532d') }])
    // Its first file is written after the last look at the brand, and before the brand.
    const saving = editor.save()
    const picture = () => readFile(join(folder, 'assets/logo.svg'), 'utf8')
    for (let text = ''; !text.includes('#14532d'); ) text = await picture()
    const elsewhere = (await file()).replace('#0e7c8c', '#ffe600')
    writeFileSync(join(folder, 'brand.ts'), elsewhere)
    expect(await saving).toEqual({ saved: null, isChangedElsewhere: true })
    expect(await file()).toBe(elsewhere)
    expect(editor.view()).toMatchObject({
      isReady: false,
      values: { 'app.name': 'Kelp', 'theme.primary': '#ffe600' },
    })
  })

  it('undoes its own steps and leaves what was changed elsewhere', async () => {
    const editor = await open()
    editor.change({ path: 'app.name', value: 'Kelp' })
    editor.change({ path: 'theme.radius', value: 'sm' })
    await changeElsewhere('#0e7c8c', '#1d7a46')
    await editor.save()
    editor.undo()
    editor.undo()
    expect(editor.view().changes.map(({ path }) => path)).toEqual(['app.name', 'theme.radius'])
    expect(editor.view()).toMatchObject({
      canUndo: false,
      values: { 'app.name': 'Tidewater Pearls', 'theme.primary': '#1d7a46' },
    })
    await editor.save()
    expect(await file()).toContain('#1d7a46')
  })

  it('takes in a picture that was drawn anew elsewhere, and a change elsewhere alone', async () => {
    const editor = await open()
    await mkdir(join(folder, 'assets'), { recursive: true })
    await writeFile(join(folder, 'assets/logo.svg'), '<svg>')
    expect(await editor.save()).toEqual({ saved: null, isChangedElsewhere: true })
    expect(editor.view().isReady).toBe(false)
    await writeFile(join(folder, 'assets/logo.svg'), drawing('#14532d'))
    await changeElsewhere('#0e7c8c', '#1d7a46')
    expect(await editor.save()).toEqual({ saved: 'brand.ts', isChangedElsewhere: true })
    expect(editor.view()).toMatchObject({ isReady: true, isChanged: false })
  })

  it('saves nothing over a file that can no longer be read', async () => {
    const editor = await open()
    editor.change({ path: 'app.name', value: 'Kelp' })
    await writeFile(join(folder, 'brand.ts'), 'export default {')
    await expect(editor.save()).rejects.toThrow('brand.ts was changed elsewhere and cannot be read')
    expect(await file()).toBe('export default {')
  })
})
