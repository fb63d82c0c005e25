import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFiles } from '@hailstone/brand/tools'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appFolder } from './build-brand.ts'

const sourcesOf = (plugin: string): string =>
  join(appFolder(), 'native', plugin, 'android', 'src', 'main', 'java')
const has = (command: string): boolean => spawnSync(command, ['-version']).status === 0
const hasCompiler = has('javac')
const hasJava = hasCompiler && has('java')
const leftOut = hasJava ? '' : ` (left out: there is no ${hasCompiler ? 'java' : 'javac'})`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'java-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns the classes of Android and Capacitor that the plugins name, without their content. */
async function stubs(): Promise<ReadonlyMap<string, Uint8Array>> {
  const text = await readFile(join(appFolder(), 'test', 'android-stubs.txt'), 'utf8')
  const parts = text.split(/^=== (.+)$/m).slice(1)
  const encoder = new TextEncoder()
  return new Map(
    parts.flatMap((path, at) =>
      at % 2 === 0 ? [[`stubs/${path}`, encoder.encode(parts[at + 1])] as const] : [],
    ),
  )
}

const compile = (to: string, classes: string, ...files: readonly string[]) =>
  spawnSync('javac', ['--release', '17', '-Xlint:all', '-Werror', '-d', to, '-cp', classes, ...files], {
    cwd: folder,
    encoding: 'utf8',
  })

async function javaOf(plugin: string): Promise<readonly string[]> {
  const sources = sourcesOf(plugin)
  const entries = await readdir(sources, { recursive: true })
  return entries.filter((name) => name.endsWith('.java')).map((name) => join(sources, name))
}

const plugins = [
  { plugin: 'device', name: 'AppDevice', path: 'app/device/DevicePlugin.java', files: 2 },
  { plugin: 'miner', name: 'AppMiner', path: 'app/miner/MinerPlugin.java', files: 5 },
  { plugin: 'unlock', name: 'AppUnlock', path: 'app/unlock/UnlockPlugin.java', files: 3 },
] as const

describe('the Java of an Android project', () => {
  beforeAll(async () => {
    const given = await stubs()
    await writeFiles(folder, given)
    if (!hasCompiler) return
    const made = spawnSync('javac', ['--release', '17', '-d', 'stubs-classes', ...given.keys()], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(made.stderr).toBe('')
  })

  it.skipIf(!hasCompiler)(
    `check 25: compiles against the classes it names${hasCompiler ? '' : leftOut}`,
    { timeout: 60_000 },
    async () => {
      for (const { plugin, files } of plugins) {
        const found = await javaOf(plugin)
        expect(found).toHaveLength(files)
        const { status, stderr } = compile('classes', 'stubs-classes', ...found)
        expect(stderr).toBe('')
        expect(status).toBe(0)
      }
    },
  )

  it.skipIf(!hasCompiler).each(plugins)(
    `check 25: the build of $plugin depends on each library whose classes the compiler reads${hasCompiler ? '' : leftOut}`,
    { timeout: 60_000 },
    async ({ plugin }) => {
      const build = await readFile(join(sourcesOf(plugin), '..', '..', '..', 'build.gradle'), 'utf8')
      const { stderr } = compile('classes', 'stubs-classes', '-verbose', ...(await javaOf(plugin)))
      const read = [...stderr.matchAll(/^\[loading .*stubs-classes\/androidx\/(\w+)\//gm)].map(
        ([, library]) => `"androidx.${library}:${library}:`,
      )
      expect(read).toContain('"androidx.appcompat:appcompat:')
      for (const line of new Set(read)) expect(build).toContain(line)
    },
  )

  it.each(plugins)(
    'has each method of $name that the app calls, and no other',
    async ({ plugin, name, path }) => {
      const java = await readFile(join(sourcesOf(plugin), path), 'utf8')
      const offered = [
        ...java.matchAll(
          /@PluginMethod\s+(?:\/\/[^\n]*\s+)?(?:@Suppress\w+\([^)]*\)\s+)?public void (\w+)\(PluginCall/g,
        ),
      ].map(([, method]) => method)
      const app = join(appFolder(), 'src')
      const texts = await Promise.all(
        (await readdir(app, { recursive: true }))
          .filter((file) => /\.tsx?$/.test(file))
          .map((file) => readFile(join(app, file), 'utf8')),
      )
      const called = [...texts.join('\n').matchAll(new RegExp(`'${name}', '(\\w+)'`, 'g'))].map(
        ([, method]) => method,
      )
      expect(java).toContain(`name = "${name}"`)
      expect([...new Set(called)].sort()).toEqual(offered.sort())
    },
  )
})

/** Runs decisions on the JVM and returns what they made the device do. */
function runScript(
  script: string,
  events: readonly string[],
  ...words: readonly string[]
): readonly string[] {
  const { status, stdout, stderr } = spawnSync('java', ['-cp', 'decisions', script, ...words], {
    cwd: folder,
    encoding: 'utf8',
    input: events.join('\n'),
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return stdout.trim().split('\n')
}

const decide = (...events: readonly string[]): readonly string[] =>
  runScript('app.miner.MinerRunScript', events)

const begun = ['shows last title | last text', 'no stop is due', 'opens the page', 'begun']

describe.skipIf(!hasJava)(`the decisions of the service that mines with the screen off${leftOut}`, () => {
  beforeAll(() => {
    const run = join(sourcesOf('miner'), 'app', 'miner', 'MinerRun.java')
    const { stderr } = compile('decisions', '.', run, join(appFolder(), 'test', 'MinerRunScript.java'))
    expect(stderr).toBe('')
  })

  it('check 26: keep the processor awake by beats, for ten minutes each, and give it back while mining is paused', () => {
    expect(
      decide(
        'begin',
        'beat working',
        'pass 2',
        'beat working',
        'processor?',
        'beat paused',
        'processor?',
        'pass 60',
        'beat working',
        'processor?',
      ),
    ).toEqual([...begun, 'awake for 600 s', 'may sleep', 'awake for 600 s'])
  })

  it('let the processor of a page that hangs for good sleep, and leave a sentence', () => {
    expect(decide('begin', 'beat working', 'pass 900', 'processor?')).toEqual([
      ...begun,
      'shows last title | the page is paused',
      'tells the page that it is seen',
      'closes the page',
      'opens the page',
      'closes the page',
      'notifies open the app',
      'ends',
      'may sleep',
    ])
  })

  it('check 26: a page without a beat for two minutes is told that it is seen, then opened anew', () => {
    const silent = ['shows last title | the page is paused', 'tells the page that it is seen']
    expect(decide('begin', 'beat working', 'pass 119', 'beat working', 'pass 119')).toEqual(begun)
    expect(decide('begin', 'beat paused', 'pass 121', 'processor?', 'beat working', 'pass 60')).toEqual([
      ...begun,
      ...silent,
      'awake for 599 s',
      'shows last title | last text',
    ])
    expect(decide('begin', 'beat working', 'pass 141', 'beat working')).toEqual([
      ...begun,
      ...silent,
      'closes the page',
      'opens the page',
      'shows last title | last text',
    ])
    expect(decide('begin', 'beat working', 'pass 119', 'stop', 'pass 4')).toEqual([
      ...begun,
      'a stop is due',
      'asks to stop',
    ])
  })

  it('a paused page has the processor for half a minute to follow a change of the device', () => {
    const change = ['change', 'pass 1', 'beat paused', 'processor?', 'pass 30', 'beat paused', 'processor?']
    expect(decide('begin', 'beat paused', ...change)).toEqual([...begun, 'awake for 29 s', 'may sleep'])
    expect(decide('begin', 'beat working', 'change', 'processor?')).toEqual([...begun, 'awake for 600 s'])
  })

  it('a press in a notification that is left over ends the service that the system made for it', () => {
    expect(decide('hold on')).toEqual(['ends'])
    expect(decide('stop')).toEqual(['ends'])
  })

  it('stop means stop: the page is asked, and closed after five seconds if it does not answer', () => {
    expect(decide('begin', 'beat working', 'stop', 'stop', 'done', 'processor?')).toEqual([
      ...begun,
      'a stop is due',
      'asks to stop',
      'no stop is due',
      'closes the page',
      'ends',
      'may sleep',
    ])
    expect(
      decide('begin', 'beat working', 'stop', 'pass 6', 'beat working', 'processor?', 'pass 900'),
    ).toEqual([...begun, 'a stop is due', 'asks to stop', 'closes the page', 'ends', 'may sleep'])
  })

  it('a start while the page stops is carried out once that page is closed, and a stop after it takes it back', () => {
    const stopping = [...begun, 'a stop is due', 'asks to stop', 'begun']
    const anew = ['closes the page', 'no stop is due', 'shows last title | last text', 'opens the page']
    const started = ['begin', 'beat working', 'hold on', 'stop', 'begin']
    const held = [
      ...begun,
      'tells held',
      'shows last title | last text | held',
      ...stopping.slice(begun.length),
    ]
    // The page answers, hangs or dies.
    expect(decide(...started, 'done', 'beat working', 'pass 60', 'processor?')).toEqual([
      ...[...held, 'no stop is due', ...anew],
      'awake for 540 s',
    ])
    expect(decide('begin', 'stop', 'begin', 'pass 6', 'beat working', 'pass 60')).toEqual([
      ...stopping,
      ...anew,
    ])
    expect(decide('begin', 'stop', 'begin', 'died', 'beat working', 'pass 60')).toEqual([
      ...[...stopping, 'closes the page', ...anew],
    ])
    expect(decide('begin', 'stop', 'begin', 'stop', 'pass 6', 'begin')).toEqual([
      ...[...stopping, 'closes the page', 'ends'],
      ...begun,
    ])
    expect(decide('begin', 'stop', 'begin', 'done', 'stop', 'done').slice(-5)).toEqual([
      ...['a stop is due', 'asks to stop', 'no stop is due', 'closes the page', 'ends'],
    ])
  })

  it('a page that dies is opened again after five seconds, though not after a stop and not without end', () => {
    expect(decide('begin', 'beat working', 'died', 'pass 4', 'pass 2')).toEqual([
      ...begun,
      'closes the page',
      'opens the page',
    ])
    expect(decide('begin', 'beat working', 'stop', 'died', 'pass 60')).toEqual([
      ...begun,
      'a stop is due',
      'asks to stop',
      'closes the page',
      'closes the page',
      'ends',
    ])
    const deaths = Array.from({ length: 4 }, () => ['died', 'pass 6']).flat()
    expect(decide('begin', ...deaths).slice(-3)).toEqual(['closes the page', 'notifies open the app', 'ends'])
  })

  it('a start that the system refuses is a plain notification, and so is a page that never says anything', () => {
    expect(decide('refuse', 'begin')).toEqual(['refused', 'notifies open the app', 'ends', 'not begun'])
    expect(decide('begin', 'pass 121', 'processor?')).toEqual([
      ...begun,
      'closes the page',
      'notifies open the app',
      'ends',
      'may sleep',
    ])
  })

  it('a start by the system shows the last words, and a page that is locked leaves its sentence', () => {
    expect(decide('again after a stop')).toEqual(['ends', 'not begun'])
    expect(decide('again', 'beat paused', 'done enter the passphrase')).toEqual([
      ...begun,
      'no stop is due',
      'closes the page',
      'notifies enter the passphrase',
      'ends',
    ])
  })

  it('pause and continue come from the notification, and the page hears of it', () => {
    expect(
      decide(
        'begin',
        'line Mining',
        'hold on',
        'beat paused',
        'processor?',
        'hold off',
        'processor?',
        'begin',
      ),
    ).toEqual([
      ...begun,
      'shows Mining | text',
      'tells held',
      'shows Mining | text | held',
      'may sleep',
      'tells continued',
      'shows Mining | text',
      'awake for 600 s',
      'begun',
    ])
  })

  it('nothing but another end happens once the service has ended', () => {
    const after = ['beat working', 'line Mining', 'hold on', 'died', 'done again', 'processor?']
    expect(decide('begin', 'beat working', 'done', ...after)).toEqual([
      ...begun,
      'no stop is due',
      'closes the page',
      'ends',
      // The system makes a service anew for a press, and this one ends again.
      'ends',
      'may sleep',
    ])
  })
})

describe.skipIf(!hasJava)(`the decisions about fingerprint and face${leftOut}`, () => {
  beforeAll(() => {
    const own = ['UnlockRun', 'Hex'].map((name) => join(sourcesOf('unlock'), 'app', 'unlock', `${name}.java`))
    const { stderr } = compile('decisions', '.', ...own, join(appFolder(), 'test', 'UnlockRunScript.java'))
    expect(stderr).toBe('')
  })

  const unlock = (...events: readonly string[]): readonly string[] =>
    runScript('app.unlock.UnlockRunScript', events)
  const SALT = '00ff10'
  /** The secret of a key of the script, whose first byte is the length of its id. */
  const secretOf = (id: string): string =>
    createHmac('sha256', Buffer.alloc(32).fill(id.length, 0, 1))
      .update(SALT, 'hex')
      .digest('hex')
  const asks = 'asks Tidewater | Cancel'

  it('check 30: give the same secret each time, for one recognition each, and wipe their copy', () => {
    expect(
      unlock('state', `create ab ${SALT}`, 'finger 0', 'given', `read ab ${SALT}`, 'finger 1', 'finger 1'),
    ).toEqual([
      'lacks null',
      'makes ab',
      asks,
      `gives ${secretOf('ab')}`,
      `holds ${'00'.repeat(32)}`,
      asks,
      `gives ${secretOf('ab')}`,
    ])
    expect(unlock(`create abc ${SALT}`, 'finger 0')).toContain(`gives ${secretOf('abc')}`)
  })

  it.each([
    ['level 29', 'tooOld'],
    ['biometrics 11', 'noneEnrolled'],
    ['biometrics 12', 'noSensor'],
    ['biometrics 1', 'unavailable'],
    ['biometrics 15', 'unavailable'],
    ['biometrics 99', 'unavailable'],
  ])('check 30: make no key and ask nobody after “%s”', (event, reason) => {
    expect(unlock(event, 'state', `create ab ${SALT}`, `read ab ${SALT}`)).toEqual([
      `lacks ${reason}`,
      `refuses ${reason}`,
      `refuses ${reason}`,
    ])
  })

  it.each([
    [2, 'notRecognised'],
    [3, 'notRecognised'],
    [5, 'cancelled'],
    [7, 'lockedOut'],
    [8, 'unavailable'],
    [9, 'lockedUntilPin'],
    [10, 'cancelled'],
    [11, 'noneEnrolled'],
    [12, 'noSensor'],
    [99, 'unavailable'],
  ])('check 30: after error %i the reason is “%s”: a new key goes, an old one stays', (code, reason) => {
    expect(unlock(`create ab ${SALT}`, `error 0 ${code}`)).toEqual([
      'makes ab',
      asks,
      'removes ab',
      `refuses ${reason}`,
    ])
    const again = [`create ab ${SALT}`, 'finger 0', `read ab ${SALT}`, `error 1 ${code}`, `read ab ${SALT}`]
    expect(unlock(...again, 'finger 2').slice(-4)).toEqual([
      asks,
      `refuses ${reason}`,
      asks,
      `gives ${secretOf('ab')}`,
    ])
  })

  it('check 30: a key that is not there, or that an enrolment has made useless, is gone, and nobody is asked', () => {
    const made = ['makes ab', asks, `gives ${secretOf('ab')}`]
    expect(unlock(`read ab ${SALT}`)).toEqual(['refuses gone'])
    expect(unlock(`create ab ${SALT}`, 'finger 0', 'enrol', `read ab ${SALT}`)).toEqual([
      ...made,
      'refuses gone',
    ])
    expect(unlock(`create ab ${SALT}`, 'finger 0', 'forget ab', `read ab ${SALT}`)).toEqual([
      ...made,
      'removes ab',
      'refuses gone',
    ])
  })

  it('a key is gone for good reasons alone: a keystore that is busy or does not answer gives it later', () => {
    const begin = [`create ab ${SALT}`, 'finger 0']
    for (const [fault, reason] of [
      ['busy', 'unavailable'],
      ['unanswered', 'unavailable'],
      ['wrapped', 'gone'],
      ['words', 'gone'],
    ] as const)
      expect(
        unlock(...begin, `fault ${fault}`, `read ab ${SALT}`, 'fault none', `read ab ${SALT}`).slice(3),
      ).toEqual([`refuses ${reason}`, asks])
  })

  it('a keystore that refuses to make, begin or end is a reason, and a key that was made in vain goes', () => {
    expect(unlock('fault make', `create ab ${SALT}`)).toEqual(['removes ab', 'refuses noKey'])
    expect(unlock('fault use', `create ab ${SALT}`)).toEqual([
      'makes ab',
      'removes ab',
      'refuses unavailable',
    ])
    expect(unlock('fault end', `create ab ${SALT}`, 'finger 0', 'finger 0', 'error 0 7')).toEqual([
      'makes ab',
      asks,
      'removes ab',
      'refuses unavailable',
    ])
  })

  it('one question is open at a time, and what the system says late about another changes nothing', () => {
    const begun = [`create ab ${SALT}`, 'finger 0', `read ab ${SALT}`, `read ab ${SALT}`]
    expect(unlock(...begun, 'error 1 5', 'finger 1', 'finger 2', 'error 2 10').slice(3)).toEqual([
      asks,
      'dismisses',
      'refuses cancelled',
      asks,
      `gives ${secretOf('ab')}`,
    ])
    expect(unlock(`create ab ${SALT}`, 'cancel', 'cancel', 'finger 0')).toEqual([
      'makes ab',
      asks,
      'dismisses',
      'removes ab',
      'refuses cancelled',
    ])
  })

  it('bytes pass as hexadecimal digits, and other texts are refused', () => {
    expect(unlock('hex 00ff7f80', 'hex 0', 'hex 0g', 'hex FF')).toEqual([
      'reads 00ff7f80',
      'reads nothing',
      'reads nothing',
      'reads nothing',
    ])
  })
})

describe.skipIf(!hasJava)(`the text that a person saves${leftOut}`, () => {
  let caches = 0
  const held = async (...events: readonly string[]): Promise<readonly string[]> => {
    caches += 1
    const cache = join(folder, `cache-${caches}`)
    await mkdir(cache)
    return runScript('app.device.HeldTextScript', events, cache)
  }

  beforeAll(() => {
    const run = join(sourcesOf('device'), 'app', 'device', 'HeldText.java')
    const { stderr } = compile('decisions', '.', run, join(appFolder(), 'test', 'HeldTextScript.java'))
    expect(stderr).toBe('')
  })

  it('waits outside of the call, however long it is, and goes once it is saved', async () => {
    expect(await held('hold x', 'held?', 'save', 'clear', 'held?', 'save')).toEqual([
      ...['call has held-N.txt', 'holds 1', 'saves 3000000', 'holds 0', 'saves nothing'],
    ])
  })

  it('takes the place of one that was never saved, and no other file is read', async () => {
    expect(await held('hold äö', 'hold x', 'held?', 'save ../secret', 'save held-/../x')).toEqual([
      ...['call has held-N.txt', 'call has held-N.txt', 'holds 1', 'saves nothing', 'saves nothing'],
    ])
  })

  it('leaves the call before the place is asked for', async () => {
    const java = await readFile(join(sourcesOf('device'), 'app/device/DevicePlugin.java'), 'utf8')
    const [removed, started] = ['getData().remove("text")', 'startActivityForResult'].map((part) =>
      java.indexOf(part),
    )
    expect(removed).toBeGreaterThan(0)
    expect(started).toBeGreaterThan(removed ?? 0)
  })
})
