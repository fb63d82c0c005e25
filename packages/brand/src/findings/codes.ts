/** How much a finding weighs: an error stops a build, a warning is printed. */
export type Severity = 'error' | 'warning'

/** One kind of finding. `expected` and `fix` are what a finding says unless it knows better. */
export type CodeEntry = {
  readonly code: `E${number}`
  readonly severity: Severity
  readonly expected: string
  readonly fix: string
}

const error = (code: CodeEntry['code'], expected: string, fix: string): CodeEntry => ({
  code,
  severity: 'error',
  expected,
  fix,
})

const warning = (code: CodeEntry['code'], expected: string, fix: string): CodeEntry => ({
  code,
  severity: 'warning',
  expected,
  fix,
})

/**
 * Every finding a brand can get. Codes and names are only ever added: never renamed, reused or removed.
 * The letter is part of the name; how heavy a finding is stands in its `severity`, which for some codes
 * depends on the environment.
 */
export const codes = {
  // E0xx: the file itself
  'brand-not-found': error(
    'E001',
    'a folder with brand.ts or brand.json',
    'Name the folder of the brand, or make one with `brand new`.',
  ),
  'brand-unreadable': error('E002', 'a file that can be read', 'Correct the line the message names.'),
  'not-plain-data': error(
    'E003',
    'plain data: text, whole numbers, true, false, null, lists and objects',
    'Write the value out; functions, classes, dates and other clever things have no place in a brand.',
  ),
  'schema-missing': error('E004', 'schema: 1', 'Add `schema: 1` as the first line of the brand.'),
  'schema-older': warning(
    'E005',
    'the newest schema version',
    'The brand was read as if migrated; write the migrated values into the file.',
  ),
  'schema-newer': error('E006', 'a schema version this program knows', 'Upgrade @hailstone/brand.'),
  'unknown-key': error('E007', 'a key of the schema', 'Remove the key.'),
  'wrong-type': error('E008', 'another type of value', 'Give a value of the expected type.'),
  'required-missing': error('E009', 'a value', 'Add the key.'),
  'value-not-allowed': error('E010', 'one of the allowed values', 'Choose one of the allowed values.'),
  'out-of-range': error('E011', 'a value in range', 'Choose a value in the range.'),
  'secret-in-file': error(
    'E012',
    'no secret of any kind',
    'Remove it, and treat the key as known to everybody: move what it guards to a new one.',
  ),
  'id-malformed': error(
    'E013',
    '2 to 31 characters: a lower-case letter, then lower-case letters, digits and hyphens',
    'Choose an id such as "acme-mining".',
  ),
  'id-differs-from-folder': error('E014', 'the name of the folder', 'Rename the folder or change the id.'),
  'dangerous-key': error('E015', 'keys of the schema', 'Remove the key.'),
  'environment-unknown': error('E016', 'dev, staging or prod', 'Use one of the three names of environments.'),
  'file-too-large': error('E017', 'at most 256 kB of text', 'Move pictures and fonts into assets/.'),
  'schema-malformed': error('E018', 'a whole number, 1 or more', 'Write `schema: 1`.'),

  // E1xx: the token
  'token-hash-malformed': error('E101', '64 lower-case hex digits', 'Copy the token hash from the explorer.'),
  'token-not-found': error(
    'E102',
    'a token the network knows',
    'Compare the hash digit by digit with the explorer, and the network preset with the token’s network.',
  ),
  'ticker-malformed': error('E103', '1 to 6 capital letters A to Z', 'Write the ticker as the chain has it.'),
  'token-not-mineable': error(
    'E104',
    'a token with minable = 1',
    'Issue the token as mineable, or name one that is.',
  ),
  'ticker-differs': error(
    'E105',
    'the ticker on chain',
    'Remove token.ticker, or write what the chain says.',
  ),
  'decimals-differ': error(
    'E106',
    'the decimals on chain',
    'Remove token.decimals, or write what the chain says.',
  ),
  'fraction-digits-exceed-decimals': error(
    'E107',
    'at most as many digits as the token has decimals',
    'Lower token.display.fractionMax.',
  ),
  'owner-cannot-pay-fees': warning(
    'E108',
    'an owner who can pay the network fee of transfers',
    'Send native coins to the owner of the token; until then transfers of users are rejected.',
  ),
  'token-unstated': warning(
    'E109',
    'the ticker and decimals written into the brand',
    'Add token.ticker and token.decimals, so that a swapped hash is noticed.',
  ),
  'token-supply-exhausted': warning(
    'E110',
    'supply left to mine',
    'Raise the maximum supply, or tell users that rewards have ended.',
  ),
  'minimum-stake-missing': warning(
    'E111',
    'a minimum stake on chain',
    'Ask the owner of the token to set it.',
  ),

  // E2xx: the network
  'url-malformed': error('E201', 'a complete URL', 'Write the URL out, with scheme and host.'),
  'host-malformed': error('E202', 'a host of letters, digits, dots and hyphens', 'Correct the host.'),
  'url-has-credentials': error(
    'E203',
    'a URL without user name and password',
    'Remove what stands before the @; everybody who opens the app can read it.',
  ),
  'scheme-insecure': error(
    'E204',
    'https or wss',
    'Use an encrypted address; for a gateway put `hailstone bridge` in front of it.',
  ),
  'scheme-refused': error('E205', 'https or wss', 'Give an ordinary web address.'),
  'host-look-alike': error(
    'E206',
    'a host whose letters are what they look like',
    'Type the host by hand in plain letters.',
  ),
  'host-international': warning(
    'E207',
    'a host in plain letters',
    'Check the host letter by letter; many browsers show it in its xn-- form.',
  ),
  'host-private': error(
    'E208',
    'a public host',
    'Use a public address; private ones work in the environment dev only.',
  ),
  'url-part-refused': error('E209', 'a URL without query and fragment', 'Cut the URL before ? and #.'),
  'cleartext-traffic': warning(
    'E210',
    'an encrypted address',
    'Prefer wss and https on Android too: anybody on the way can read and change what passes.',
  ),
  'api-missing': error('E211', 'network.api', 'Add network.api, or choose a preset.'),
  'gateway-missing': error('E212', 'at least one gateway', 'Add a wss address to network.poa.'),
  'test-network-in-production': error(
    'E213',
    'the preset mainnet or custom',
    'Set environments.prod.network.preset.',
  ),
  'network-open-to-users': warning(
    'E214',
    'a fixed network',
    'Switch network.userSelectable and network.allowCustom off in prod.',
  ),
  'network-unreachable': error('E215', 'an answer', 'Try again; if it stays, correct network.api.'),
  'network-answer-invalid': error(
    'E216',
    'an answer of the protocol',
    'Check that network.api names the API base, usually …/api/v1.',
  ),
  'gateway-unreachable': error('E217', 'an open socket', 'Correct network.poa, or start the gateway.'),
  'gateway-refused': error('E218', 'a gateway that accepts a hail', 'Check what stands behind network.poa.'),
  'native-token-differs': error(
    'E219',
    'the native token of the network',
    'Remove network.nativeToken, or write what the network says.',
  ),
  'network-differs': error(
    'E220',
    'the network the preset names',
    'Correct network.api or network.preset: they are two networks.',
  ),
  'duplicate-address': warning('E221', 'each address once', 'Remove the repetition.'),
  'network-open-to-every-host': warning(
    'E222',
    'a short list of hosts',
    'Switch network.allowCustom off: it lets the app talk to any host.',
  ),

  // E3xx: the agent
  'agent-malformed': error(
    'E301',
    'an address (66 hex digits, beginning 02 or 03), a code that begins with ref_, or null',
    'Copy the code from the invite card of the agent.',
  ),
  'agent-below-stake': warning(
    'E302',
    'an agent with the stake the token asks for',
    'Send the missing amount to the agent; until then its half of the bonus goes elsewhere.',
  ),
  'referral-share-zero': warning(
    'E303',
    'a token that pays referral rewards',
    'Set referral.enabled to false.',
  ),
  'referral-on-ios': error(
    'E304',
    'referral.enabled false for ios',
    'Switch referral.enabled off for this target.',
  ),
  'agent-locked': warning(
    'E305',
    'a user who may change the agent',
    'Set referral.userCanChange to true, or tell users why not: the app shows the agent before mining.',
  ),
  'invite-without-referral': error(
    'E306',
    'features.invite only with referral.enabled',
    'Switch referral.enabled on or features.invite off.',
  ),
  'invite-link-missing': warning(
    'E307',
    'a base for invite links',
    'Set app.homepage, or referral.linkBase.',
  ),
  'agent-is-owner': warning(
    'E308',
    'an agent who is not the owner of the token',
    'Nothing, if that is meant: the app says so before the first mining.',
  ),

  // E4xx: the theme
  'colour-malformed': error('E401', 'a colour as #rrggbb', 'Write six hex digits after #.'),
  'contrast-too-low': error(
    'E402',
    'contrast of 3:1 for parts and 4.5:1 for text, in light and dark',
    'Take the proposed colour, or set theme.contrast to "fix".',
  ),
  'font-malformed': error(
    'E403',
    'a family of letters, digits, blanks and hyphens',
    'Write the plain name of the family.',
  ),
  'font-missing': error('E404', 'a file in the folder of the brand', 'Add the file, or correct its path.'),
  'font-not-woff2': error('E405', 'a WOFF2 file', 'Convert the font to WOFF2.'),
  'font-too-large': error('E406', 'at most 150 kB per file', 'Subset the font to the alphabets you enable.'),
  'accent-like-primary': warning(
    'E407',
    'an accent that differs from the primary colour',
    'Choose another accent, or leave it out.',
  ),

  // E5xx: pictures
  'asset-path-malformed': error(
    'E501',
    'a path inside the folder of the brand that ends in .svg or .png',
    'Put the picture into assets/ and name it as assets/name.svg.',
  ),
  'asset-missing': error('E502', 'a file in the folder of the brand', 'Add the file, or correct its path.'),
  'asset-too-large': error('E503', 'at most 200 kB', 'Simplify the drawing, or run it through svgo.'),
  'svg-malformed': error('E504', 'a well-formed SVG', 'Export the drawing again.'),
  'svg-element-refused': error(
    'E505',
    'shapes, gradients, masks and filters only',
    'Export as plain SVG without scripts, links, embedded pages, animations and pictures.',
  ),
  'svg-attribute-refused': error(
    'E506',
    'presentation attributes only',
    'Export as plain SVG without event handlers.',
  ),
  'svg-reference-refused': error(
    'E507',
    'references inside the drawing (#name) only',
    'Embed what is referred to as shapes.',
  ),
  'svg-doctype-refused': error(
    'E508',
    'no DOCTYPE, entities or processing instructions',
    'Remove everything before <svg.',
  ),
  'svg-view-box-missing': error('E509', 'a viewBox of four numbers', 'Export with a viewBox.'),
  'svg-text-refused': error(
    'E510',
    'text as outlines',
    'Convert text to outlines: no font is there to draw it.',
  ),
  'svg-too-complex': error(
    'E511',
    'at most 2000 elements, 64 deep, no use inside use',
    'Flatten the drawing.',
  ),
  'svg-style-refused': error(
    'E512',
    'simple declarations',
    'Export with presentation attributes in place of CSS.',
  ),
  'icon-not-square': error('E513', 'a square', 'Make width and height equal.'),
  'png-malformed': error('E514', 'a PNG', 'Export the picture again.'),
  'png-too-small': error('E515', 'at least 1024 pixels', 'Export larger, or give an SVG.'),
  'asset-type-differs': error('E516', 'contents that match the ending', 'Rename the file.'),
  'icon-outside-safe-zone': error(
    'E517',
    'art inside the central circle of 80 %',
    'Scale the art down, or make the ground of the icon transparent.',
  ),
  'asset-outside-folder': error(
    'E518',
    'a file inside the folder of the brand',
    'Copy the file into assets/.',
  ),
  'icon-empty': error('E519', 'something to see', 'Export the drawing again: nothing of it shows.'),
  'icon-solid': warning(
    'E520',
    'a mark with a transparent ground',
    'Add assets.mark: notification icons are drawn from its outline.',
  ),
  'social-card-size': warning('E521', '1200 × 630', 'Draw the social card as 1200 × 630.'),

  // E6xx: words
  'text-has-control-characters': error(
    'E601',
    'visible characters only',
    'Type the text again by hand: it has invisible or direction-changing characters.',
  ),
  'text-has-markup': error(
    'E602',
    'plain text',
    'Remove tags and entities; they would be shown as they are.',
  ),
  'text-has-script-url': error('E603', 'plain text', 'Remove the javascript:, vbscript: or data: address.'),
  'text-has-css': error('E604', 'plain text', 'Remove braces, url(), expression() and @import.'),
  'text-look-alike': error('E605', 'words of one alphabet', 'Type the word again on one keyboard layout.'),
  'text-too-long': error('E606', 'a shorter text', 'Shorten the text.'),
  'text-empty': error('E607', 'a text', 'Write something, or remove the key.'),
  'emoji-refused': error('E608', 'letters and digits', 'Remove the emoji: launchers cut or replace it.'),
  'text-untrimmed': error('E609', 'no blanks at the ends or doubled', 'Remove the extra blanks.'),
  'language-unknown': error('E610', 'a language the app has', 'Choose from the list of languages.'),
  'default-language-disabled': error(
    'E611',
    'a default that is enabled',
    'Add i18n.default to i18n.enabled.',
  ),
  'language-file-unused': warning('E612', 'an enabled language', 'Enable the language or remove the file.'),
  'string-key-unknown': error('E613', 'a key of the app', 'Correct the key.'),
  'string-placeholder-missing': error(
    'E614',
    'every placeholder of the original',
    'Put the placeholder back.',
  ),
  'string-placeholder-unknown': error('E615', 'placeholders of the original only', 'Remove the placeholder.'),
  'string-too-long': warning('E616', 'at most three times the original', 'Shorten the text.'),
  'strings-malformed': error('E617', 'a JSON object of texts', 'Correct the file.'),
  'email-malformed': error('E618', 'an e-mail address', 'Write it as name@example.org.'),

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

  // E8xx: behaviour
  'time-malformed': error('E801', 'HH:MM, 00:00 to 23:59', 'Write hours and minutes with two digits each.'),
  'quiet-hours-empty': error('E802', 'two different times', 'Change one of the two times.'),
  'lock-weak': warning('E803', 'security.lock "onSend" or "always" on mainnet', 'Choose a stronger lock.'),
  'backup-optional': warning('E804', 'security.requireBackup true on mainnet', 'Require the backup.'),
  'update-url-missing': error('E805', 'update.url', 'Add the address of the JSON file with the versions.'),
  'telemetry-dsn-missing': error('E806', 'telemetry.dsn', 'Add your own endpoint, or switch telemetry off.'),
  'telemetry-on': warning('E807', 'telemetry off', 'Tell users in the privacy policy what is sent.'),

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
} as const satisfies Readonly<Record<string, CodeEntry>>

export type FindingName = keyof typeof codes

/** `E104` and the like. */
export type FindingCode = (typeof codes)[FindingName]['code']

export const findingNames = Object.keys(codes) as readonly FindingName[]

export const isFindingName = (text: unknown): text is FindingName =>
  typeof text === 'string' && Object.hasOwn(codes, text)
