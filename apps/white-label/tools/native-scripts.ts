import type { ResolvedBrand } from '@hailstone/brand/check'

/** Returns the brand's values for the scripts of a native project. */
function factsOf(brand: ResolvedBrand, version: string): string {
  const { app, deepLink, native } = brand
  const facts = {
    name: app.name,
    version,
    versionCode: native.android?.versionCode ?? 1,
    scheme: deepLink.scheme,
    hosts: deepLink.hosts,
  }
  return JSON.stringify(facts, null, 2)
}

/** Returns a script that brands the generated Android project. Running it again changes nothing. */
export const androidScript = (
  brand: ResolvedBrand,
  version: string,
): string => `// Puts the brand into ./android. Run it after \`npm run create\`, and again after every new build.
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'

const brand = ${factsOf(brand, version)}

const main = 'android/app/src/main'
if (!existsSync(main)) {
  console.error('There is no Android project yet: run \`npm run create\` first.')
  process.exit(1)
}
const escaped = (text) =>
  text.replace(/[&<>"']/g, (found) => \`&#\${found.charCodeAt(0)};\`).replaceAll('\\\\', '\\\\\\\\')
function change(path, edit) {
  const before = readFileSync(path, 'utf8')
  const after = edit(before)
  if (after !== before) writeFileSync(path, after)
}

cpSync('brand/android/res', \`\${main}/res\`, { recursive: true })
change(\`\${main}/res/values/strings.xml\`, (xml) =>
  xml
    .replace(/(<string name="(?:app_name|title_activity_main)">)[^<]*/g, (_, head) => head + escaped(brand.name))
    .replace(/(<string name="custom_url_scheme">)[^<]*/, (_, head) => head + brand.scheme),
)
change('android/app/build.gradle', (gradle) =>
  gradle
    .replace(/versionCode \\d+/, () => \`versionCode \${brand.versionCode}\`)
    .replace(/versionName "[^"]*"/, () => \`versionName "\${brand.version}"\`),
)

const filter = (isVerified, data) =>
  \`
            <intent-filter\${isVerified ? ' android:autoVerify="true"' : ''}>
                <action android:name="android.intent.action.VIEW" />
                <category android:name="android.intent.category.DEFAULT" />
                <category android:name="android.intent.category.BROWSABLE" />
                \${data.join('\\n                ')}
            </intent-filter>\`
const links = [
  filter(false, [\`<data android:scheme="\${brand.scheme}" />\`]),
  ...brand.hosts.map((host) => filter(true, [\`<data android:scheme="https" android:host="\${host}" />\`])),
].join('')
const [begin, end] = ['<!-- brand links -->', '<!-- end of brand links -->']
change(\`\${main}/AndroidManifest.xml\`, (xml) => {
  const bare = xml.replace(new RegExp(\`\\\\s*\${begin}[\\\\s\\\\S]*?\${end}\`), '')
  // A cloud backup would hand the key to others.
  const closed = bare.replace('android:allowBackup="true"', 'android:allowBackup="false"')
  return closed.replace(/\\s*<\\/activity>/, (close) => \`\\n            \${begin}\${links}\\n            \${end}\${close}\`)
})
console.log(\`\${brand.name} \${brand.version} (\${brand.versionCode}) is in ./android\`)
`

/** Returns a script that brands the generated Xcode project: icon, name, version and link scheme. */
export const iosScript = (
  brand: ResolvedBrand,
  version: string,
): string => `// Puts the brand into ./ios. Run it after \`npm run create\`, and again after every new build.
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'

const brand = ${factsOf(brand, version)}

const app = 'ios/App/App'
if (!existsSync(app)) {
  console.error('There is no Xcode project yet: run \`npm run create\` first.')
  process.exit(1)
}
const escaped = (text) => text.replace(/[&<>]/g, (found) => \`&#\${found.charCodeAt(0)};\`)
copyFileSync('brand/ios/AppIcon-1024.png', \`\${app}/Assets.xcassets/AppIcon.appiconset/AppIcon-512@2x.png\`)
const path = \`\${app}/Info.plist\`
const setKey = (plist, key, value) => {
  const line = new RegExp(\`(<key>\${key}</key>\\\\s*)<(string|array)>[\\\\s\\\\S]*?</\\\\2>\`)
  const added = \`\\t<key>\${key}</key>\\n\\t\${value}\\n\`
  return line.test(plist)
    ? plist.replace(line, (_, head) => head + value)
    : plist.replace(/<\\/dict>\\s*<\\/plist>/, (close) => added + close)
}
const schemes = \`<array><dict><key>CFBundleURLSchemes</key><array><string>\${brand.scheme}</string></array></dict></array>\`
let plist = readFileSync(path, 'utf8')
plist = setKey(plist, 'CFBundleDisplayName', \`<string>\${escaped(brand.name)}</string>\`)
plist = setKey(plist, 'CFBundleShortVersionString', \`<string>\${brand.version}</string>\`)
if (!plist.includes('CFBundleURLTypes')) plist = setKey(plist, 'CFBundleURLTypes', schemes)
plist = setKey(plist, 'NSCameraUsageDescription', '<string>To scan addresses and codes.</string>')
writeFileSync(path, plist)
console.log(\`\${brand.name} \${brand.version} is in ./ios\`)
`
