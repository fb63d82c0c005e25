import { type CodeEntry, error, warning } from './code-entry.ts'

/** Codes of token, network and agent. */
export const chainCodes = {
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
  'test-token-in-production': error(
    'E112',
    'a token of the network of production',
    'Set token.hash below environments.prod to the hash that the explorer of that network shows.',
  ),
  'stake-out-of-reach': warning(
    'E113',
    'a test network on which a new wallet gets the stake of the token',
    'Send some of the token to the faucet of the network, name a token that it gives, or set links.claim.',
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
} as const satisfies Readonly<Record<string, CodeEntry>>
