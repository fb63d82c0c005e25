import { type CodeEntry, error, warning } from './code-entry.ts'

/** Codes of links, behaviour and targets. */
export const deliveryCodes = {
  // E7xx: links
  'legal-link-missing': error('E701', 'a link', 'Add it: users accept it before the first run.'),
  'link-dead': warning('E702', 'an answer of 200', 'Correct the link.'),
  'community-kind-unknown': error('E703', 'a known kind', 'Choose a kind from the list, or "other".'),
  'buy-link-missing': error(
    'E704',
    'at least one entry in links.buy',
    'Add a link, or switch features.buy off.',
  ),
  'contact-missing': warning('E705', 'links.support or app.supportEmail', 'Add one: users will need it.'),
  'feed-closed-to-pages': warning(
    'E706',
    'an answer that pages of other hosts may read',
    'Answer with `Access-Control-Allow-Origin: *` at the address itself, without a redirection.',
  ),
  'feed-malformed': warning(
    'E707',
    'summary.json of a status page, or { incidents: [{ id, title, impact, startedAt, url }] }',
    'Correct the feed: the app shows nothing of one that it cannot read whole.',
  ),
  'legal-version-without-text': error(
    'E708',
    'links.terms or links.privacy',
    'Add the text that has this version, or remove legal.version.',
  ),
  'legal-language-repeated': error('E709', 'each language once', 'Remove the repetition.'),
  'legal-language-unused': warning(
    'E710',
    'a language of i18n.enabled',
    'Enable the language, or remove its texts: nobody can choose it.',
  ),

  // E8xx: behaviour
  'time-malformed': error('E801', 'HH:MM, 00:00 to 23:59', 'Write hours and minutes with two digits each.'),
  'quiet-hours-empty': error('E802', 'two different times', 'Change one of the two times.'),
  'lock-weak': warning('E803', 'security.lock "onSend" or "always" on mainnet', 'Choose a stronger lock.'),
  'backup-optional': warning('E804', 'security.requireBackup true on mainnet', 'Require the backup.'),
  'update-url-missing': error('E805', 'update.url', 'Add the address of the JSON file with the versions.'),
  'telemetry-dsn-missing': error('E806', 'telemetry.dsn', 'Add your own endpoint, or switch telemetry off.'),
  'telemetry-on': warning('E807', 'telemetry off', 'Tell users in the privacy policy what is sent.'),
  'setting-without-effect': warning('E808', 'a setting that changes the app', 'Remove it.'),
  'setting-removed': warning('E809', 'no setting that this version ignores', 'Remove it.'),

  // E9xx: targets
  'play-forbids-mining': error(
    'E901',
    'channel "sideload" or "fdroid", or mining.enabled false',
    'Distribute the Android app outside Google Play, which refuses mining on the device.',
  ),
  'application-id-malformed': error(
    'E902',
    'reverse-DNS, at least two parts of letters, digits and underscores',
    'Write it as org.example.app.',
  ),
  'android-missing': error('E903', 'native.android', 'Add native.android for this target.'),
  'ios-missing': error('E904', 'native.ios', 'Add native.ios for this target.'),
  'deep-link-scheme-malformed': error(
    'E905',
    'a lower-case letter, then letters, digits, +, - and .',
    'Choose a scheme of your own.',
  ),
  'deep-link-scheme-reserved': error('E906', 'a scheme of your own', 'Choose another scheme.'),
  'deep-link-host-malformed': error('E907', 'a host name', 'Write the host only, without https:// and path.'),
  'fingerprint-malformed': error(
    'E908',
    '32 pairs of capital hex digits joined by colons',
    'Copy the SHA-256 line of `keytool -list -v`.',
  ),
  'category-unknown': warning('E909', 'a category app lists know', 'Choose from the list.'),
  'ios-mines-nothing': warning(
    'E910',
    'a wallet and monitor',
    'Nothing: the iOS build leaves mining out, as its store demands.',
  ),
  'team-id-malformed': error('E911', '10 capital letters and digits', 'Copy it from the developer account.'),
  'build-manifest-missing': error(
    'E912',
    'a folder with build-manifest.json',
    'Name the folder `hailstone-brand build` wrote, or build the brand again.',
  ),
  'build-manifest-malformed': error(
    'E913',
    'the list `hailstone-brand build` writes',
    'Build the brand again.',
  ),
  'build-file-differs': error('E914', 'the file that was built', 'Build the brand again, and publish that.'),
  'build-file-missing': error('E915', 'the file that was built', 'Build the brand again, and publish that.'),
  'build-file-unexpected': error('E916', 'nothing the build did not write', 'Remove the file.'),
  'key-unusable': error(
    'E917',
    'a PEM file of an Ed25519 key',
    'Make one with `openssl genpkey -algorithm ed25519`; `openssl pkey -pubout` gives its public key.',
  ),
  'signature-missing': error('E918', 'build-manifest.json.sig', 'Build the brand with --sign-key.'),
  'signature-wrong': error(
    'E919',
    'the signature of this list by this key',
    'Do not publish the folder before you know who changed it; build the brand again with --sign-key.',
  ),
  'signature-unchecked': warning(
    'E920',
    'the public key of who built it',
    'Give --public-key: without it the signature says nothing.',
  ),
  'deployment-unreachable': error(
    'E921',
    'an answer',
    'Check the address, its name server and its firewall.',
  ),
  'deployment-insecure': error(
    'E922',
    'https with a certificate that browsers accept',
    'Give the host a certificate for this name and redirect http to https; an app that holds keys is served in no other way.',
  ),
  'certificate-expires': warning('E923', 'a certificate valid for 14 days or more', 'Renew it.'),
  'deployment-differs': error(
    'E924',
    'this brand, as it is built now',
    'Build with the same --env and copy the whole folder to the host.',
  ),
  'deployed-file-differs': error(
    'E925',
    'the file that was built',
    'Copy the whole folder to the host again, and clear its caches.',
  ),
  'deep-link-broken': error(
    'E926',
    'the page of the app with status 200',
    'Let each route of the app answer /index.html: build with --host and use what it writes.',
  ),
  'deep-link-status': warning(
    'E927',
    'status 200',
    'People see the app; search engines and some messengers drop the link. Another host can answer 200.',
  ),
  'response-header-differs': error(
    'E928',
    'the header that the build names',
    'Build with --host and use what it writes.',
  ),
  'cache-too-long': error(
    'E929',
    'no-cache: asked again each time',
    'Keep only /assets/ for long; the page, brand.json and the service worker bring updates.',
  ),
  'cache-too-short': warning(
    'E930',
    'a year, immutable',
    'Keep /assets/ for a year: its names change with their content.',
  ),
  'missing-file-answered': error(
    'E931',
    'status 404, not kept',
    'Answer 404 for missing files, without a long Cache-Control: an update could load a page in place of a script.',
  ),
  'not-compressed': warning('E932', 'gzip, br or zstd', 'Compress text, scripts and JSON on the host.'),
  'content-type-wrong': error('E933', 'the type of the file', 'Give this ending its type on the host.'),
  'invitation-elsewhere': error(
    'E934',
    'invitations to this place',
    'Set referral.linkBase to this address followed by /i/, or leave it out: the app then names its own.',
  ),
} as const satisfies Readonly<Record<string, CodeEntry>>
