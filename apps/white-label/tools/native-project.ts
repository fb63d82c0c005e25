import type { ResolvedBrand } from '@hailstone/brand/check'
import { androidResources, deviceManifest } from './android-resources.ts'
import { minesWithScreenOff } from './mines-with-screen-off.ts'
import { androidScript, iosScript } from './native-scripts.ts'
import { nativeSteps } from './native-steps.ts'
import { unlocksByBiometrics } from './unlocks-by-biometrics.ts'

export type NativeTarget = 'android' | 'ios'

type Files = ReadonlyMap<string, Uint8Array>

/** Capacitor version of the projects; it needs Node 22. */
const CAPACITOR = '^8.5.2'
/** Plugin for links that open the app, and for the back button. */
const CAPACITOR_APP = '^8.1.1'
/** Plugin for the system's share sheet. */
const CAPACITOR_SHARE = '^8.0.2'

const encoder = new TextEncoder()
const text = (content: string): Uint8Array => encoder.encode(content)
const json = (value: unknown): Uint8Array => text(`${JSON.stringify(value, null, 2)}\n`)

/** Returns the application id. @throws {Error} if the brand has none */
function applicationIdOf({ native }: ResolvedBrand, target: NativeTarget): string {
  const id = target === 'android' ? native.android?.applicationId : native.ios?.bundleId
  if (id === undefined) throw new Error(`The brand has no native.${target}.`)
  return id
}

const isPlain = (address: string): boolean => /^(?:http|ws):/.test(address)

/** Returns the hosts with which the brand talks without encryption. */
const plainHosts = ({ network }: ResolvedBrand): readonly string[] => [
  ...new Set([network.api, ...network.poa].filter(isPlain).map((address) => new URL(address).hostname)),
]

/** Returns Capacitor's configuration. Plain connections are left to the platform's own list of hosts. */
function capacitorConfig(brand: ResolvedBrand, target: NativeTarget): object {
  const { app, assets } = brand
  const isCleartext = plainHosts(brand).length > 0
  return {
    appId: applicationIdOf(brand, target),
    appName: app.name,
    webDir: 'www',
    // The bridge of a debug build would write what goes to plugins into the device's log, the passphrase among it.
    loggingBehavior: 'none',
    backgroundColor: assets.splashBackground,
    server: { androidScheme: 'https' },
    android: { allowMixedContent: isCleartext, webContentsDebuggingEnabled: brand.environment === 'dev' },
    ios: { contentInset: 'never' },
  }
}

const packageJson = (brand: ResolvedBrand, target: NativeTarget, version: string): object => ({
  name: `${brand.id}-${target}`,
  private: true,
  version,
  type: 'module',
  scripts: {
    create: `cap add ${target}`,
    brand: 'node apply-brand.mjs',
    sync: `cap sync ${target}`,
    open: `cap open ${target}`,
  },
  dependencies: {
    '@capacitor/app': CAPACITOR_APP,
    '@capacitor/core': CAPACITOR,
    '@capacitor/share': CAPACITOR_SHARE,
    [`@capacitor/${target}`]: CAPACITOR,
    // A plugin of its own: files, notifications, and a screen without copies.
    ...(target === 'android' ? { 'app-device': 'file:./device' } : {}),
    // The service that mines with the screen off.
    ...(minesWithScreenOff(brand, target) ? { 'app-miner': 'file:./miner' } : {}),
    // Secrets that the device gives after a fingerprint or a face.
    ...(unlocksByBiometrics(brand, target) ? { 'app-unlock': 'file:./unlock' } : {}),
  },
  devDependencies: { '@capacitor/cli': CAPACITOR },
})

/** Pictures by their place in this project: launcher icons, notification icon, splash screens. */
const nativePictures = (pictures: Files): readonly (readonly [string, Uint8Array])[] =>
  [...pictures]
    .filter(([path]) => /^(?:android|ios|splash)\//.test(path))
    .map(([path, bytes]) => [`brand/${path}`, bytes])

/**
 * Returns the files of a Capacitor project except those that Capacitor generates: the app, its configuration, the
 * pictures, a script that writes name, icons, version and links into the platform's project, and instructions.
 *
 * @param parameters.web the brand's app, from `brandFiles`
 * @param parameters.pictures from `generateAssets` for this platform
 * @param parameters.device files of the plugin for Android
 * @param parameters.miner files of the plugin that mines with the screen off, for brands that offer it
 * @param parameters.unlock files of the plugin that asks for fingerprint or face, for brands that offer it
 */
export function nativeProject(parameters: {
  readonly brand: ResolvedBrand
  readonly target: NativeTarget
  readonly version: string
  readonly web: Files
  readonly pictures: Files
  readonly device: Files
  readonly miner: Files
  readonly unlock: Files
}): Files {
  const { brand, target, version, web, pictures, device, miner, unlock } = parameters
  const isAndroid = target === 'android'
  const script = isAndroid ? androidScript(brand, version) : iosScript(brand, version)
  return new Map<string, Uint8Array>([
    ['package.json', json(packageJson(brand, target, version))],
    ['capacitor.config.json', json(capacitorConfig(brand, target))],
    ['apply-brand.mjs', text(script)],
    ['STEPS.md', text(nativeSteps(brand, target))],
    ['.gitignore', text('node_modules/\n*.keystore\n*.jks\n')],
    ...(isAndroid ? androidResources(plainHosts(brand)) : []),
    ...(isAndroid ? [...device].map(([path, bytes]) => [`device/${path}`, bytes] as const) : []),
    ...(isAndroid
      ? [['device/android/src/main/AndroidManifest.xml', text(deviceManifest(brand))] as const]
      : []),
    ...(minesWithScreenOff(brand, target)
      ? [...miner].map(([path, bytes]) => [`miner/${path}`, bytes] as const)
      : []),
    ...(unlocksByBiometrics(brand, target)
      ? [...unlock].map(([path, bytes]) => [`unlock/${path}`, bytes] as const)
      : []),
    ...nativePictures(pictures),
    // `_headers` is for web servers. In a package the page carries its policy itself.
    ...[...web].flatMap(([path, bytes]) => (path === '_headers' ? [] : [[`www/${path}`, bytes] as const])),
  ])
}
