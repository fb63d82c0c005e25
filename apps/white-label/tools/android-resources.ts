import type { ResolvedBrand } from '@hailstone/brand/check'

const encoder = new TextEncoder()
const HEAD = '<?xml version="1.0" encoding="utf-8"?>'

/** Returns the rules of Android 12 and later: nothing of the app goes to a cloud or to another device. */
function dataExtractionRules(): string {
  const domains = ['root', 'file', 'database', 'sharedpref', 'external']
  const excluded = domains.map((domain) => `        <exclude domain="${domain}" path="." />`).join('\n')
  const part = (name: string): string => `    <${name}>\n${excluded}\n    </${name}>`
  return `${HEAD}
<data-extraction-rules>
${part('cloud-backup')}
${part('device-transfer')}
</data-extraction-rules>
`
}

/** Returns the network rules: encrypted connections, and plain ones to these hosts alone. */
function networkSecurityConfig(plainHosts: readonly string[]): string {
  const plain = plainHosts
    .map(
      (host) => `    <domain-config cleartextTrafficPermitted="true">
        <domain includeSubdomains="false">${host}</domain>
    </domain-config>
`,
    )
    .join('')
  return `${HEAD}
<network-security-config>
    <base-config cleartextTrafficPermitted="false" />
${plain}</network-security-config>
`
}

/** Returns the resources of an Android project that no picture is, by their place in this project. */
export const androidResources = (plainHosts: readonly string[]): readonly (readonly [string, Uint8Array])[] =>
  Object.entries({
    'data_extraction_rules.xml': dataExtractionRules(),
    'network_security_config.xml': networkSecurityConfig(plainHosts),
  }).map(([name, xml]) => [`brand/android/res/xml/${name}`, encoder.encode(xml)])

/** Returns the manifest of the plugin. Only an app that mines notifies of something and celebrates a first reward. */
export const deviceManifest = ({ mining }: Pick<ResolvedBrand, 'mining'>): string => {
  const permissions = ['POST_NOTIFICATIONS', 'VIBRATE']
    .map((name) => `    <uses-permission android:name="android.permission.${name}" />\n`)
    .join('')
  return `${HEAD}
<manifest xmlns:android="http://schemas.android.com/apk/res/android">
${mining.enabled ? permissions : ''}</manifest>
`
}
