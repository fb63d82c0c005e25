import type { ResolvedBrand } from '@hailstone/brand/check'

/** Returns the brand's values for the scripts of a native project. */
function factsOf(brand: ResolvedBrand, version: string): string {
  const { app, deepLink, links, native } = brand
  const facts = {
    name: app.name,
    version,
    versionCode: native.android?.versionCode ?? 1,
    scheme: deepLink.scheme,
    hosts: deepLink.hosts,
    paths: ['/i/', '/wallet/', '/tx/', ...(links.signIn.length > 0 ? ['/sign-in'] : [])],
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
  // Only what the app can open: the terms and the website of the same host stay with the browser.
  ...brand.hosts.map((host) =>
    filter(
      true,
      brand.paths.map(
        (path) => \`<data android:scheme="https" android:host="\${host}" android:pathPrefix="\${path}" />\`,
      ),
    ),
  ),
].join('')
const marked = (name) => [\`<!-- \${name} -->\`, \`<!-- end of \${name} -->\`]
/** Puts lines before the first place that matches, in place of those of an earlier run. */
function insert(xml, name, lines, before) {
  const [begin, end] = marked(name)
  const bare = xml.replace(new RegExp(\`\\\\s*\${begin}[\\\\s\\\\S]*?\${end}\`), '')
  return bare.replace(before, (found) => \`\${begin}\${lines}\${end}\${found}\`)
}
const attributes = {
  // A backup or a transfer would hand the key to others.
  'android:allowBackup': 'false',
  'android:fullBackupContent': 'false',
  'android:dataExtractionRules': '@xml/data_extraction_rules',
  'android:networkSecurityConfig': '@xml/network_security_config',
}
const camera = \`
    <uses-permission android:name="android.permission.CAMERA" />
    <uses-feature android:name="android.hardware.camera" android:required="false" />
    \`
change(\`\${main}/AndroidManifest.xml\`, (xml) => {
  let next = xml
  for (const [name, value] of Object.entries(attributes)) {
    const before = new RegExp(\`\\\\s+\${name}="[^"]*"\`)
    next = next.replace(before, '').replace('<application', \`<application \${name}="\${value}"\`)
  }
  next = insert(next, 'brand links', \`\${links}\\n            \`, /\\s*<\\/activity>/)
  return insert(next, 'camera of the scanner', camera, /\\s*<application/)
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
