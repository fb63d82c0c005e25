import { join } from 'node:path'
import { openRasterizer } from '../assets/rasterizer.ts'
import { checkBrandFolder } from '../files/check-brand-folder.ts'
import { brandFoldersIn } from '../files/find-brand-folder.ts'
import { findShell, type Shell, shellCatalogue } from '../files/find-shell.ts'
import { brandFileOf } from '../files/load-brand-config.ts'
import type { CommandIo, ExitCode } from './command-io.ts'
import type { CommandWords } from './command-options.ts'
import { countLine, exitCodeOf } from './print-findings.ts'

type Verdict = { readonly is: 'good' | 'note' | 'bad'; readonly text: string }

const OLDEST_NODE = [20, 19] as const

/** Checks that everything other commands need is present, and checks every brand it finds. */
export async function doctorCommand(words: CommandWords, io: CommandIo): Promise<ExitCode> {
  const shell = await findShell(io)
  const verdicts = [
    nodeVerdict(process.versions.node),
    await rendererVerdict(),
    shellVerdict(shell),
    androidVerdict(),
    ...(await brandVerdicts(shell, words, io)),
  ]
  for (const { is, text } of verdicts) io.write(`${{ good: 'ok  ', note: 'note', bad: 'bad ' }[is]}  ${text}`)
  return verdicts.some(({ is }) => is === 'bad') ? 1 : 0
}

export function nodeVerdict(version: string): Verdict {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isGood = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
  return isGood
    ? { is: 'good', text: `Node ${version}` }
    : { is: 'bad', text: `Node ${version}: install ${OLDEST_NODE.join('.')} or newer` }
}

async function rendererVerdict(): Promise<Verdict> {
  const rasterizer = await openRasterizer()
  const png = rasterizer.png('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>', 1)
  return { is: 'good', text: `pictures can be drawn (${png.length} bytes for one pixel)` }
}

function shellVerdict(shell: Shell | null): Verdict {
  if (shell !== null) return { is: 'good', text: `white-label app in ${shell.folder}` }
  return {
    is: 'note',
    text: '@hailstone/white-label, the app, is not installed here, so preview and build will not work',
  }
}

function androidVerdict(): Verdict {
  const home = process.env.ANDROID_HOME ?? process.env.ANDROID_SDK_ROOT
  return home === undefined
    ? { is: 'note', text: 'no Android SDK (ANDROID_HOME): needed only to make an APK' }
    : { is: 'good', text: `Android SDK in ${home}` }
}

async function brandVerdicts(
  shell: Shell | null,
  words: CommandWords,
  io: CommandIo,
): Promise<readonly Verdict[]> {
  const catalogue = await shellCatalogue(shell)
  const isBrand = (await brandFileOf(io.cwd)) !== null
  const folders = await brandFoldersIn([
    io.cwd,
    join(io.cwd, 'brands'),
    ...(shell === null ? [] : [join(shell.folder, 'brands')]),
  ])
  const { environment, target, flags } = words
  const verdicts = [...(isBrand ? [io.cwd] : []), ...folders].map(async (folder): Promise<Verdict> => {
    const { brand, findings } = await checkBrandFolder({ folder, environment, target, flags, catalogue })
    const text = `brand ${brand?.id ?? folder} (${environment}, ${target}): ${countLine(findings)}`
    return { is: exitCodeOf(findings) === 0 ? 'good' : 'bad', text }
  })
  return verdicts.length === 0
    ? [{ is: 'note', text: 'no brand here: `hailstone-brand new` makes one' }]
    : Promise.all(verdicts)
}
