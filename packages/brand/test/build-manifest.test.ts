import { generateKeyPairSync } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BuildManifest, printBuildManifest } from '../src/build/build-manifest.ts'
import { readSigner } from '../src/build/signing-keys.ts'
import { runCommand } from '../src/command/run-command.ts'

let folder: string
let app: string

const at = (name: string): string => join(folder, name)
const inApp = (name: string): string => join(app, name)
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const outputs = new Map([
  ['index.html', bytes('<!doctype html>')],
  ['assets/b.js', bytes('1')],
  ['assets/a.js', bytes('2')],
])

function printed(target: BuildManifest['target'], files = outputs): Uint8Array {
  const inputs = new Map([['brand/brand.json', bytes('{}')]])
  const facts = { brand: 'acme', environment: 'dev', version: '0.1.0', configHash: 'ab'.repeat(32) } as const
  return printBuildManifest({ ...facts, target, inputs, outputs: files })
}

async function writeBuild(target: BuildManifest['target'] = 'web'): Promise<void> {
  await mkdir(inApp('assets'), { recursive: true })
  for (const [path, content] of outputs) await writeFile(inApp(path), content)
  const list = printed(target)
  await writeFile(inApp('build-manifest.json'), list)
  const signer = await readSigner(at('own.pem'))
  if (signer.finding !== null) throw new Error(signer.finding.found)
  await writeFile(inApp('build-manifest.json.sig'), signer.use(list))
}

async function writeKeys(name: string): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  await writeFile(at(`${name}.pem`), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await writeFile(at(`${name}.pub`), publicKey.export({ type: 'spki', format: 'pem' }))
}

async function run(...words: readonly string[]) {
  const lines: string[] = []
  const put = (line: string): void => {
    lines.push(line)
  }
  const code = await runCommand(words, { cwd: folder, write: put, complain: put })
  return { code, said: lines.join('\n'), names: lines.join('\n').match(/E\d+ \S+ {2}\S+/g) ?? [] }
}

const verify = (...words: readonly string[]) => run('build', '--verify', 'app', ...words)
const asOwn = ['--public-key', 'own.pub']

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'built-'))
  app = at('app')
  await writeKeys('own')
  await writeBuild()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the list of a build', () => {
  it('is the same to the byte in whatever order the files came', () => {
    expect(printed('web', new Map([...outputs].reverse()))).toEqual(printed('web'))
    const { outputs: listed } = JSON.parse(new TextDecoder().decode(printed('web'))) as BuildManifest
    expect(listed.map(({ path }) => path)).toEqual(['assets/a.js', 'assets/b.js', 'index.html'])
    // `printf 2 | sha256sum`
    expect(listed[0]?.sha256).toBe('d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35')
  })
})

describe('brand build --verify', () => {
  it('finds nothing in what was built, and says when nobody asked by whom', async () => {
    expect(await verify(...asOwn)).toMatchObject({
      code: 0,
      said: 'acme, 3 files, signed: 0 errors, 0 warnings',
    })
    const unasked = await verify()
    expect(unasked).toMatchObject({
      code: 0,
      names: ['E920 signature-unchecked  build-manifest.json.sig'],
    })
    expect(JSON.parse((await verify('--json')).said)).toMatchObject({
      exitCode: 0,
      findings: [{ code: 'E920' }],
    })
  })

  it('names each file that differs, is missing, is a link now or was put there', async () => {
    await mkdir(inApp('.git'))
    await writeFile(inApp('.git/HEAD'), 'ref')
    await appendFile(inApp('index.html'), ' ')
    await rm(inApp('assets/a.js'))
    await rm(inApp('assets/b.js'))
    await writeFile(at('same.js'), '1')
    await symlink(at('same.js'), inApp('assets/b.js'))
    await writeFile(inApp('assets/stranger.js'), 'alert(1)')
    expect(await verify(...asOwn)).toMatchObject({
      code: 1,
      names: [
        'E915 build-file-missing  assets/a.js',
        'E915 build-file-missing  assets/b.js',
        'E914 build-file-differs  index.html',
        'E916 build-file-unexpected  assets/stranger.js',
      ],
    })
    expect((await verify()).said).toMatch(
      /expected {2}SHA-256 [0-9a-f]{64}\n {10}found {5}SHA-256 [0-9a-f]{64}/,
    )
  })

  it('leaves what Capacitor and a partner put into a project alone, but for what is served', async () => {
    await writeBuild('android')
    await mkdir(inApp('android'), { recursive: true })
    await mkdir(inApp('www'), { recursive: true })
    await writeFile(inApp('android/build.gradle'), '')
    expect((await verify(...asOwn)).code).toBe(0)
    await writeFile(inApp('www/stranger.js'), '')
    expect((await verify(...asOwn)).names).toEqual(['E916 build-file-unexpected  www/stranger.js'])
  })

  describe('of a Capacitor project', () => {
    const project = new Map(
      Object.entries({
        'package.json': JSON.stringify({ dependencies: { 'app-device': 'file:./device' } }),
        'capacitor.config.json': JSON.stringify({ appId: 'com.acme.app', webDir: 'www' }),
        'apply-brand.mjs': 'run()',
        '.gitignore': 'node_modules/',
        'www/index.html': '<!doctype html>',
        'brand/android/res/xml/network_security_config.xml': '<x/>',
        'brand/android/res/mipmap-hdpi/ic_launcher.png': 'png',
        'device/package.json': '{}',
        'device/android/src/main/java/app/device/DevicePlugin.java': 'class DevicePlugin {}',
      }).map(([path, text]) => [path, bytes(text)]),
    )
    const put = async (path: string, text: string | Uint8Array = 'strange'): Promise<void> => {
      await mkdir(join(inApp(path), '..'), { recursive: true })
      await writeFile(inApp(path), text)
    }
    /** What `npm install`, `cap add android`, `npm run brand` and `cap sync` make, and the tools of Android after them. */
    const MADE = [
      ...[
        'package-lock.json',
        'node_modules/.package-lock.json',
        'node_modules/@capacitor/android/build.gradle',
      ],
      ...['android/.gitignore', 'android/build.gradle', 'android/app/build.gradle', 'android/gradlew'],
      ...[
        'android/capacitor.settings.gradle',
        'android/app/capacitor.build.gradle',
        'android/local.properties',
      ],
      ...[
        'android/gradle/wrapper/gradle-wrapper.jar',
        'android/app/src/main/java/com/acme/app/MainActivity.java',
      ],
      'android/app/src/androidTest/java/com/getcapacitor/myapp/ExampleInstrumentedTest.java',
      ...['android/app/src/main/res/values/strings.xml', 'android/app/src/main/res/drawable/splash.png'],
      ...['android/app/src/main/AndroidManifest.xml', 'android/app/src/main/assets/public/cordova.js'],
      ...['android/app/build/x/Made.java', 'android/.gradle/x.bin', 'device/android/build/x/Made.class'],
      'android/app/release/app-release.apk',
    ]
    beforeEach(async () => {
      await rm(app, { recursive: true })
      for (const [path, content] of project) await put(path, content)
      const list = printed('android', project)
      await put('build-manifest.json', list)
      const signer = await readSigner(at('own.pem'))
      if (signer.finding !== null) throw new Error(signer.finding.found)
      await put('build-manifest.json.sig', signer.use(list))
      await mkdir(inApp('node_modules'))
      await symlink('../device', inApp('node_modules/app-device'))
      for (const path of MADE) await put(path)
      await put(
        'android/app/src/main/java/com/acme/app/MainActivity.java',
        'package com.acme.app;\n\nimport com.getcapacitor.BridgeActivity;\n\npublic class MainActivity extends BridgeActivity {}\n',
      )
      await put('android/app/src/main/assets/public/index.html', '<!doctype html>')
      await put('android/app/src/main/res/xml/network_security_config.xml', '<x/>')
      await put(
        'android/app/src/main/assets/capacitor.config.json',
        '{"webDir":"www","appId":"com.acme.app"}',
      )
      for (const path of ['release.keystore', 'notes.md', '.git/HEAD']) await put(path)
    })

    it('finds nothing in what Capacitor makes, and says what it did not compare', async () => {
      const { code, said, names } = await verify(...asOwn)
      expect([code, names]).toEqual([0, []])
      expect(said).toContain('not compared: android/, device/, node_modules, package-lock.json')
      expect(JSON.parse((await verify('--json', ...asOwn)).said).unchecked).toContain('android/build.gradle')
    })

    it.each([
      ...['capacitor.config.js', 'capacitor.config.ts', '.npmrc', '.yarnrc.yml', '.pnpmfile.cjs'],
      ...['npm-shrinkwrap.json', 'build.gradle', 'patches/x.patch', 'hooks/after.js'],
      'device/android/src/main/java/app/device/Added.java',
      ...[
        'device/android/src/main/res/values/x.xml',
        'device/android/libs/x.jar',
        'device/node_modules/x.js',
      ],
      'device/android/proguard-rules.pro',
      ...['www/stranger.js', 'brand/x.txt'],
      ...[
        'android/app/src/main/java/com/acme/app/Added.kt',
        'android/app/src/main/java/evil/MainActivity.java',
      ],
      ...['android/app/src/debug/java/Added.java', 'android/app/libs/x.aar', 'android/init.gradle.kts'],
      ...[
        'android/app/src/main/jniLibs/arm64-v8a/x.so',
        'android/buildSrc/build.gradle',
        'android/app/x.aidl',
      ],
      ...['android/app/src/main/res/xml/added.xml', 'android/app/src/main/assets/public/added.js'],
      ...[
        'android/app/src/main/assets/added.html',
        'android/gradle/libs.versions.toml',
        'ios/App/App/Added.swift',
      ],
    ])('names what was added: %s', async (path) => {
      await put(path)
      expect(await verify(...asOwn)).toMatchObject({
        code: 1,
        names: [`E916 build-file-unexpected  ${path}`],
      })
    })

    it.each([
      ...['package.json', 'device/android/src/main/java/app/device/DevicePlugin.java', 'apply-brand.mjs'],
      ...[
        'android/app/src/main/assets/public/index.html',
        'android/app/src/main/assets/capacitor.config.json',
      ],
      'android/app/src/main/res/xml/network_security_config.xml',
      'android/app/src/main/java/com/acme/app/MainActivity.java',
    ])('names what was changed: %s', async (path) => {
      const text = await readFile(inApp(path), 'utf8')
      await put(
        path,
        text.replace('{', '{"scripts":{"postinstall":"x"},').replace('<', '<!-- x --><').concat(' '),
      )
      expect(await verify(...asOwn)).toMatchObject({ code: 1, names: [`E914 build-file-differs  ${path}`] })
    })

    it('names a folder in the place of a plugin, and links', async () => {
      await rm(inApp('node_modules/app-device'))
      await put('node_modules/app-device/android/build.gradle')
      await symlink('/', inApp('device/android/extra'))
      await symlink('/', inApp('android/app/libs'))
      expect((await verify(...asOwn)).names).toEqual([
        'E916 build-file-unexpected  android/app/libs',
        'E916 build-file-unexpected  device/android/extra',
        'E916 build-file-unexpected  node_modules/app-device',
      ])
    })
  })

  it('refuses a list somebody rewrote, one without signature, and the signature of somebody else', async () => {
    await writeKeys('other')
    const wrong = 'E919 signature-wrong  build-manifest.json.sig'
    expect(await verify('--public-key', 'other.pub')).toMatchObject({ code: 1, names: [wrong] })
    await appendFile(inApp('build-manifest.json'), '\n')
    expect((await verify(...asOwn)).names).toEqual([wrong])
    await writeFile(inApp('build-manifest.json.sig'), 'short')
    expect((await verify(...asOwn)).names).toEqual([wrong])
    await rm(inApp('build-manifest.json.sig'))
    expect((await verify(...asOwn)).names).toEqual(['E918 signature-missing  build-manifest.json.sig'])
    expect((await verify()).said).toBe('acme, 3 files: 0 errors, 0 warnings')
  })

  it('refuses folders without a list, malformed lists, and lists that lead elsewhere', async () => {
    expect((await run('build', '--verify', 'nowhere')).said).toContain('E912 build-manifest-missing')
    const list = JSON.parse(await readFile(inApp('build-manifest.json'), 'utf8')) as BuildManifest
    const malformed = ['E913 build-manifest-malformed  build-manifest.json']
    for (const path of ['../own.pem', '/etc/hostname', 'a/../../x', 'C:/x', 'a\\b', 'a//b', '']) {
      const led = { ...list, outputs: [...list.outputs, { path, sha256: '0'.repeat(64) }] }
      await writeFile(inApp('build-manifest.json'), JSON.stringify(led))
      expect((await verify()).names, path).toEqual(malformed)
    }
    for (const text of ['', 'null', '[]', '{"format":2}', '\u0000']) {
      await writeFile(inApp('build-manifest.json'), text)
      expect((await verify()).names, text).toEqual(malformed)
    }
  })
})

describe('keys of signatures', () => {
  it('says what is wrong with one, shows none of it, and builds nothing', async () => {
    const agreement = generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
    const locked = generateKeyPairSync('ed25519').privateKey.export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'seven drops',
    })
    await writeFile(at('agreement.pem'), agreement)
    await writeFile(at('locked.pem'), locked)
    await writeFile(at('broken.pem'), '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n')
    await writeFile(at('text.pem'), 'c2VjcmV0')
    for (const [name, found] of [
      ['nowhere.pem', 'no file that can be read'],
      ['app', 'no file that can be read'],
      ['own.pub', 'no private key'],
      ['agreement.pem', 'a key of the kind x25519'],
      ['broken.pem', 'a damaged key'],
      ['locked.pem', 'a key behind a passphrase'],
      ['text.pem', 'no PEM'],
    ] as const) {
      const { code, said } = await run('build', 'acme', '--out', 'never', '--sign-key', name)
      expect(code, name).toBe(1)
      expect(said, name).toContain('E917 key-unusable')
      expect(said, name).toContain(`found     ${found}\n`)
      expect(said, name).toContain('Nothing was built')
      expect(said).not.toContain('c2VjcmV0')
    }
    expect(await readdir(folder)).not.toContain('never')
    expect((await verify('--public-key', 'own.pem')).said).toContain('found     a private key')
  })
})

it('takes a key that an editor wrote anew, with a byte order mark or in UTF-16', async () => {
  const pem = await readFile(at('own.pem'), 'utf8')
  for (const encoding of ['utf8', 'utf16le'] as const) {
    await writeFile(at('edited.pem'), `\ufeff${pem.replaceAll('\n', '\r\n')}`, encoding)
    expect((await readSigner(at('edited.pem'))).finding).toBeNull()
  }
})
