import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBrandFolder, writeFiles } from '@hailstone/brand/tools'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appFolder, nativeFiles } from './build-brand.ts'
import { nativeProject } from './native-project.ts'

type Files = ReadonlyMap<string, Uint8Array>
const minerPage = new Map([
  [
    'miner.html',
    new TextEncoder().encode(
      '<html lang="en"><title>x</title><!-- brand --><script src="m.js"></script></html>',
    ),
  ],
])

/** Stands for the built app, which has its own tests. */
const builtAs = (name: string): ReadonlyMap<string, Uint8Array> =>
  new Map(
    Object.entries({
      'index.html': '<html lang="en"><title>x</title><!-- brand --></html>',
      'service-worker.js': '',
      [`assets/${name}.js`]: 'run()',
    }).map(([path, text]) => [path, new TextEncoder().encode(text)]),
  )
const shell = {
  mining: builtAs('mining'),
  wallet: builtAs('wallet'),
  android: new Map([...builtAs('android'), ...minerPage]),
}

let folder: string
let tidewater: ReadonlyMap<string, Uint8Array>
beforeAll(async () => {
  tidewater = await nativeFiles(await report('tidewater', 'android'), 'android', shell)
  folder = await mkdtemp(join(tmpdir(), 'native-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const report = (name: string, target: 'android' | 'ios', flags: object = {}) =>
  checkBrandFolder({ folder: join(appFolder(), 'brands', name), environment: 'dev', target, flags })

const run = (cwd: string) => spawnSync(process.execPath, ['apply-brand.mjs'], { cwd, encoding: 'utf8' })

const manifest = `<manifest xmlns:android="http://schemas.android.com/apk/res/android">
    <application android:allowBackup="true" android:label="@string/app_name">
        <activity android:name=".MainActivity">
            <intent-filter>
                <action android:name="android.intent.action.MAIN" />
            </intent-filter>
        </activity>
    </application>
</manifest>
`
const strings =
  '<resources><string name="app_name">x</string><string name="custom_url_scheme">x</string></resources>'

describe('the Capacitor project of a brand', () => {
  it('check 24: puts name, icons, version and links into an Android project, and changes nothing the second time', async () => {
    const out = join(folder, 'android-project')
    await writeFiles(out, tidewater)
    expect(run(out).status).toBe(1)
    const main = join(out, 'android/app/src/main')
    await mkdir(join(main, 'res/values'), { recursive: true })
    await writeFile(join(main, 'AndroidManifest.xml'), manifest)
    await writeFile(join(main, 'res/values/strings.xml'), strings)
    await writeFile(join(out, 'android/app/build.gradle'), 'versionCode 1\nversionName "1.0"\n')
    const read = () =>
      Promise.all(
        ['AndroidManifest.xml', 'res/values/strings.xml', '../../build.gradle'].map((path) =>
          readFile(join(main, path), 'utf8'),
        ),
      )
    expect(run(out)).toMatchObject({ status: 0, stderr: '' })
    const [xml = '', names, gradle] = await read()
    expect(xml).toContain('android:allowBackup="false"')
    expect(xml).toContain('<data android:scheme="tidewater" />')
    for (const path of ['/i/', '/wallet/', '/tx/'])
      expect(xml).toContain(
        `<data android:scheme="https" android:host="tidewater.example" android:pathPrefix="${path}" />`,
      )
    expect(xml.match(/android:host=/g), 'terms and website stay with the browser').toHaveLength(3)
    expect(xml.match(/<uses-permission [^>]*>/g)).toEqual([
      '<uses-permission android:name="android.permission.CAMERA" />',
    ])
    expect(xml).toContain('<uses-feature android:name="android.hardware.camera" android:required="false" />')
    for (const attribute of [
      'android:fullBackupContent="false"',
      'android:dataExtractionRules="@xml/data_extraction_rules"',
      'android:networkSecurityConfig="@xml/network_security_config"',
    ])
      expect(xml.split(attribute)).toHaveLength(2)
    expect(await readFile(join(main, 'res/xml/network_security_config.xml'), 'utf8')).toContain(
      '<base-config cleartextTrafficPermitted="false" />',
    )
    const backup = await readFile(join(main, 'res/xml/data_extraction_rules.xml'), 'utf8')
    expect(
      backup.match(/<exclude domain="(?:root|file|database|sharedpref|external)" path="\." \/>/g),
    ).toHaveLength(10)
    expect(xml.match(/<\/activity>/g)).toHaveLength(1)
    expect(names).toContain('<string name="app_name">Tidewater Pearls</string>')
    expect(gradle).toBe('versionCode 7\nversionName "0.1.0"\n')
    expect((await readFile(join(main, 'res/mipmap-xxxhdpi/ic_launcher.png'))).subarray(1, 4).toString()).toBe(
      'PNG',
    )
    expect(run(out).status).toBe(0)
    expect(await read()).toEqual([xml, names, gradle])
  })

  it('check 24: asks for notifications where it mines, and a package without mining has no word of a session', async () => {
    const textOf = (files: ReadonlyMap<string, Uint8Array>, path: string): string =>
      new TextDecoder().decode(files.get(path))
    const permissionsOf = (files: ReadonlyMap<string, Uint8Array>) =>
      textOf(files, 'device/android/src/main/AndroidManifest.xml').match(/android\.permission\.\w+/g)
    expect(permissionsOf(tidewater)).toEqual([
      'android.permission.POST_NOTIFICATIONS',
      'android.permission.VIBRATE',
    ])
    expect(JSON.parse(textOf(tidewater, 'package.json')).dependencies).toEqual({
      '@capacitor/android': '^8.5.2',
      '@capacitor/app': '^8.1.1',
      '@capacitor/core': '^8.5.2',
      '@capacitor/share': '^8.0.2',
      'app-device': 'file:./device',
      'app-miner': 'file:./miner',
      'app-unlock': 'file:./unlock',
    })
    const wallet = await nativeFiles(
      await report('tidewater', 'android', { mining: { enabled: false } }),
      'android',
      shell,
    )
    expect(permissionsOf(wallet)).toBeNull()
    expect(JSON.parse(textOf(wallet, 'package.json')).dependencies).not.toHaveProperty('app-miner')
    const native = [...wallet].filter(([path]) => !/^(?:www|brand)\//.test(path) && path !== 'STEPS.md')
    for (const [path, bytes] of native)
      expect(new TextDecoder().decode(bytes), path).not.toMatch(
        /gateway|beacon|WakeLock|WAKE_LOCK|FOREGROUND_SERVICE|<service/,
      )
    expect(wallet.has('www/assets/mining.js') || wallet.has('www/assets/android.js')).toBe(false)
  })

  it('check 24: has the service with its named permissions where the brand offers it, and nothing of it elsewhere', async () => {
    const manifestOf = (files: Files): string =>
      new TextDecoder().decode(files.get('miner/android/src/main/AndroidManifest.xml'))
    const xml = manifestOf(tidewater)
    expect(xml.match(/android\.permission\.\w+/g)?.sort()).toEqual(
      [
        'FOREGROUND_SERVICE',
        'FOREGROUND_SERVICE_SPECIAL_USE',
        'POST_NOTIFICATIONS',
        'WAKE_LOCK',
        'ACCESS_NETWORK_STATE',
        'REQUEST_IGNORE_BATTERY_OPTIMIZATIONS',
      ]
        .map((name) => `android.permission.${name}`)
        .sort(),
    )
    const services = xml.match(/<service[\s\S]*?<\/service>/g) ?? []
    expect(services).toHaveLength(1)
    expect(services[0]).toContain('android:name="app.miner.MinerService"')
    expect(services[0]).toContain('android:exported="false"')
    expect(services[0]).toContain('android:foregroundServiceType="specialUse"')
    expect(services[0]).toMatch(
      /<property\s+android:name="android\.app\.PROPERTY_SPECIAL_USE_FGS_SUBTYPE"\s+android:value="[^"]{40,}" \/>/,
    )
    expect(xml, 'it does not start by itself').not.toMatch(/receiver|BOOT_COMPLETED/)
    for (const path of ['MinerService', 'MinerPage', 'DeviceWatch', 'MinerPlugin', 'MinerRun'])
      expect(tidewater.has(`miner/android/src/main/java/app/miner/${path}.java`)).toBe(true)
    const page = new TextDecoder().decode(tidewater.get('www/miner.html'))
    expect(page).toContain('http-equiv="Content-Security-Policy"')
    expect(page).toContain('<script src="m.js">')
    const without = await nativeFiles(
      await report('tidewater', 'android', { mining: { screenOff: 'off' } }),
      'android',
      shell,
    )
    expect([...without.keys()].filter((path) => path.includes('miner'))).toEqual([])
    expect(without.has('www/assets/mining.js')).toBe(true)
    expect(new TextDecoder().decode(without.get('STEPS.md'))).toContain('mines while it is open')
    expect(new TextDecoder().decode(tidewater.get('STEPS.md'))).toContain('Nobody has seen it on a phone yet')
  })

  it('check 24: asks for biometrics where the brand offers that, and nowhere else', async () => {
    const permissionsOf = (files: Files) =>
      new TextDecoder()
        .decode(files.get('unlock/android/src/main/AndroidManifest.xml'))
        .match(/android\.permission\.\w+/g)
    const anywhere = (files: Files): readonly string[] =>
      [...files]
        .filter(([path]) => /biometric/i.test(new TextDecoder().decode(files.get(path))))
        .map(([path]) => path)
    const stepsOf = (files: Files): string => new TextDecoder().decode(files.get('STEPS.md'))
    expect(permissionsOf(tidewater)).toEqual(['android.permission.USE_BIOMETRIC'])
    expect(stepsOf(tidewater)).toContain('`security.passkey: false` builds the package without it')
    const wallet = await nativeFiles(
      await report('tidewater', 'android', { mining: { enabled: false } }),
      'android',
      shell,
    )
    expect(permissionsOf(wallet), 'a wallet is unlocked, too').toEqual(['android.permission.USE_BIOMETRIC'])
    for (const files of [
      await nativeFiles(
        await report('tidewater', 'android', { security: { passkey: false } }),
        'android',
        shell,
      ),
      await nativeFiles(await report('jamr', 'ios'), 'ios', shell),
    ]) {
      expect([...files.keys()].filter((path) => path.startsWith('unlock/'))).toEqual([])
      expect(anywhere(files)).toEqual([])
      const { dependencies } = JSON.parse(new TextDecoder().decode(files.get('package.json')))
      expect(dependencies).not.toHaveProperty('app-unlock')
    }
  })

  it('names the package, opens plain connections for this machine only, and leaves headers to servers', async () => {
    const files = tidewater
    const config = JSON.parse(new TextDecoder().decode(files.get('capacitor.config.json')))
    expect(config).toMatchObject({
      appId: 'example.tidewater.pearls',
      webDir: 'www',
      loggingBehavior: 'none',
      server: { androidScheme: 'https' },
    })
    const rules = new TextDecoder().decode(files.get('brand/android/res/xml/network_security_config.xml'))
    expect(rules.match(/<domain [^>]*>[^<]*/g)).toEqual(['<domain includeSubdomains="false">127.0.0.1'])
    expect(files.has('www/index.html') && files.has('www/brand/brand.json')).toBe(true)
    expect(files.has('www/_headers')).toBe(false)
    const prod = await checkBrandFolder({
      folder: join(appFolder(), 'brands', 'tidewater'),
      environment: 'prod',
      target: 'android',
    })
    if (prod.brand === null) throw new Error('The example brand cannot be read.')
    const none = new Map()
    const parts = { version: '1.0.0', web: none, pictures: none, device: none, miner: none, unlock: none }
    const sealed = nativeProject({ brand: prod.brand, target: 'android', ...parts })
    expect(JSON.parse(new TextDecoder().decode(sealed.get('capacitor.config.json')))).toMatchObject({
      loggingBehavior: 'none',
      server: { androidScheme: 'https' },
      android: { allowMixedContent: false, webContentsDebuggingEnabled: false },
    })
    expect(
      new TextDecoder().decode(sealed.get('brand/android/res/xml/network_security_config.xml')),
    ).not.toContain('<domain')
    expect(new TextDecoder().decode(sealed.get('STEPS.md'))).toContain('`fdroid`')
  })

  it('check 8: is a wallet without mining on iOS, whatever the brand says', async () => {
    const wallet = await report('jamr', 'ios', { mining: { enabled: true } })
    expect(wallet.findings.map(({ name }) => name)).toContain('ios-mines-nothing')
    const out = join(folder, 'ios-project')
    const files = await nativeFiles(wallet, 'ios', shell)
    expect(JSON.parse(new TextDecoder().decode(files.get('www/brand/brand.json')))).toMatchObject({
      mining: { enabled: false, autoStart: false },
      referral: { enabled: false },
    })
    expect(files.has('www/assets/wallet.js')).toBe(true)
    expect(files.has('www/assets/mining.js')).toBe(false)
    expect([...files.keys()].filter((path) => path.includes('miner'))).toEqual([])
    expect(tidewater.has('www/assets/android.js')).toBe(true)
    await writeFiles(out, files)
    const app = join(out, 'ios/App/App')
    await mkdir(join(app, 'Assets.xcassets/AppIcon.appiconset'), { recursive: true })
    const plist = '<plist version="1.0"><dict><key>CFBundleDisplayName</key><string>x</string></dict></plist>'
    await writeFile(join(app, 'Info.plist'), plist)
    expect(run(out)).toMatchObject({ status: 0, stderr: '' })
    const done = await readFile(join(app, 'Info.plist'), 'utf8')
    expect(done).toContain('<key>CFBundleDisplayName</key><string>Jamr</string>')
    expect(done).toContain('<string>jamr-wallet</string>')
    expect(run(out).status).toBe(0)
    expect(await readFile(join(app, 'Info.plist'), 'utf8')).toBe(done)
  })
})
