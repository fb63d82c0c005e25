import type { ResolvedBrand } from '@hailstone/brand/check'
import { minesWithScreenOff } from './mines-with-screen-off.ts'
import { unlocksByBiometrics } from './unlocks-by-biometrics.ts'

const common = (folderTool: string): readonly string[] => [
  `1. Install Node 22 or newer and ${folderTool}`,
  '2. In this folder: `npm install`, then `npm run create` (Capacitor makes the platform project).',
  '3. `npm run brand` puts name, icons, version and links into it; `npm run sync` copies the app.',
]

const androidSteps = ({ native, deepLink }: ResolvedBrand): readonly string[] => [
  ...common('Android Studio (with its SDK and a Java 21).'),
  '4. Make a key once and keep it: `keytool -genkeypair -keystore release.keystore -alias app -keyalg RSA -keysize 4096 -validity 10000`. It is never part of a brand.',
  '5. `npm run open`, then Build → Generate Signed App Bundle or APK.',
  `6. Put the SHA-256 fingerprint of the key into \`native.android.signingFingerprints\`, build the web app again and serve \`.well-known/assetlinks.json\` at ${deepLink.hosts.join(', ') || 'your host'}: links then open the app.`,
  `7. For the next version raise \`native.android.versionCode\` (now ${native.android?.versionCode ?? 1}) and build anew.`,
]

const iosSteps = ({ deepLink }: ResolvedBrand): readonly string[] => [
  ...common('Xcode with CocoaPods, on a Mac.'),
  '4. `npm run open`, choose your team under Signing & Capabilities.',
  ...(deepLink.hosts.length === 0
    ? []
    : [
        `5. Add the capability Associated Domains with ${deepLink.hosts.map((host) => `\`applinks:${host}\``).join(', ')}; the web build has the file Apple asks for.`,
      ]),
  '6. Product → Archive, then Distribute App.',
]

const androidPolicy = (brand: ResolvedBrand): readonly string[] => [
  'Google Play does not take apps that mine on devices. The channel of this brand is ' +
    `\`${brand.native.android?.channel ?? 'sideload'}\`; \`play\` is refused while mining is on. Ways out: side-loading, F-Droid, or the web app itself, which installs from the browser.`,
  'For Play build with `--set mining.enabled=false`: a wallet and monitor. Declare its financial features in the console.',
  minesWithScreenOff(brand, 'android')
    ? 'The app offers to mine with the screen off, by the service in `miner/`. Nobody has seen it on a phone yet: walk the list in NATIVE.md before you promise it. `mining.screenOff: off` builds the package without it.'
    : 'The app mines while it is open and visible. This project has no background service: Android stops pages in the background, and the app says so.',
  ...(unlocksByBiometrics(brand, 'android')
    ? [
        'People may unlock by fingerprint or face, by the plugin in `unlock/`. Nobody has seen it on a phone yet: walk its list in NATIVE.md, too. `security.passkey: false` builds the package without it.',
      ]
    : []),
]

const iosPolicy: readonly string[] = [
  'Apple takes no apps that mine on devices, nor paid referrals for coins (guideline 3.1.5): this build is a wallet and monitor, whatever the brand says about mining, and has no invitations.',
  'Apps made from a template must come from the account of whoever offers them (guideline 4.2.6): submit it from your own.',
]

/** Returns the instructions from a generated project to a package, with the rules of the stores. */
export function nativeSteps(brand: ResolvedBrand, target: 'android' | 'ios'): string {
  const isAndroid = target === 'android'
  const steps = isAndroid ? androidSteps(brand) : iosSteps(brand)
  const policy = isAndroid ? androidPolicy(brand) : iosPolicy
  return [
    `# ${brand.app.name} for ${isAndroid ? 'Android' : 'iOS'}`,
    '',
    ...steps,
    '',
    '## What the stores say',
    '',
    ...policy.map((line) => `- ${line}`),
    '',
  ].join('\n')
}
