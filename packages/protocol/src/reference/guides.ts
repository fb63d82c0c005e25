/** Rules that hold for every endpoint, in CommonMark with headings of the second degree. */
const LIMITS_GUIDE = `## Limits and time-outs

What this node grants one client. A request beyond a limit is refused; it is not a reason to ban anybody.

* Head of a request: 16 kB, complete within 10 s, else 431 or 408.
* Whole request: complete within 20 s, else 408. A body has at most 102400 bytes, else 413.
* An idle connection is kept for 72 s.
* One request of a connection is answered at a time; up to 16 are read ahead.
* 16 requests are worked on at once, connections in turns. Those that ask rarely go first.
* An answer is read within 20 s, and all unread answers together hold at most 64 MB; else the connection is closed.
* There is no limit for each address, no key and no quota. A public node may have one: wait as long as \`Retry-After\` of a 429 or 503 says.
* Histories and blocks come ten a page, other lists twenty. \`/mblocks\` gives ten heights at most.

Where this node answers 400 or 404, a public one may never answer. Give every request a time-out of your own; 10 s is what the client of this kit takes. Reading may be repeated. After a \`POST /tx\` without an answer, ask for the hash first (\`/pending_tx_hash\`, \`/tx\`), and send the same bytes again only if the network does not know it.`

const VERSIONS_GUIDE = `## Versions of this interface

The number in the path, \`/api/v1\`, is the version. Within a version, endpoints, optional parameters and members of answers are only added; a client ignores members that it does not know. What is removed, renamed or changes its type gets another number, beside which the old one stays for a while. \`info.version\` of this document is the same number.

Three other numbers are not this one: \`/ver\` names the mobile apps that an operator announces, messages of the gateway carry \`"ver":4\`, and a package of this kit has the version of its own changes.`

export const SIGNING_GUIDE = `## How a transaction is hashed and signed

A transaction has six fields and a signature. With \`sha256\` as SHA-256 of the UTF-8 bytes of a text, written in 64 lower-case hex digits, and \`f(x)\` as \`sha256\` of the text of \`x\` with A to Z in lower case:

1. Hash each field: \`f(amount)\`, \`f(data)\`, \`f(from)\`, \`f(nonce)\`, \`f(ticker)\`, \`f(to)\`. Numbers are hashed as their decimal text.
2. The signing hash is \`sha256\` of these six texts, joined in that order: 384 characters.
3. Sign the 64 characters of the signing hash, not its 32 bytes: ECDSA on secp256k1 with SHA-256 over the characters, the nonce by RFC 6979, s in its lower half, written as DER in hex. That is \`sign\`.
4. The hash of the transaction is \`sha256\` of seven texts, joined: those of step 2 with \`f(sign)\` between \`f(nonce)\` and \`f(ticker)\`.
5. Send \`[{amount, data, from, nonce, sign, ticker, to}]\` to \`POST /tx\`. Its answer repeats the hash of step 4; compare it.

The signature is part of the hash: the same six fields signed anew with another nonce of ECDSA are a second payment, and both are executed. Keep the signed bytes and repeat those.

Recompute this one. The private key is \`sha256("a key that everybody knows")\`, so never send anything to its address.

\`\`\`text
private key   6a16c601841d263e6d71546c1ccb75e5ffb846de1831a4246dcab6e7c39cb6b3
amount        12500000000
data          Hello
from          03043a7395c781c4bddf8fcf254b0e17157c498553663b87d4e69ca2b1ee6b80d8
nonce         7
ticker        0000000000000000000000000000000000000000000000000000000000000000
to            03346d96f6364c92d4c24203a8cbd71b450ad4c4a801d0d0bc9ab8a9c0ca06d76b

f(amount)     ef34de15c7f92e736ce023d351bb2e8ecdf2fae897dba2b73c54ebdf980f1e5a
f(data)       2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
f(from)       f69128b8d8187d423520bce8d30f50bc675b78815623838021e3aef687b4108c
f(nonce)      7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451
f(ticker)     60e05bd1b195af2f94112fa7197a5c88289058840ce7c6df9693756bc6250f55
f(to)         174302770e739f137755240aa199a89ad637fbc246cca9a17bf1d4e276295db2
signing hash  63703126c6e634079bd14d8b1fb99ec7a30e12457793322b06b583fd1bc80c65

sign          3045022100ae5a497a46db865a6d44d04184879d67a00ebcff1df23385b5abd82cc48e3bd5022056bc4d30b9a17d8a3c98338c06a9bae7d337f32ba56797527796c9f3aa7fe6d2
f(sign)       73fe6ca9cb3a2bb68844d45886754eea685d56ac9c6cc78d502d95f98806b6dd
hash          d55d020bac2910c94fc32390c1a8a291aed6cebf4be361d119f2003cdae22476
\`\`\``

const REFERRAL_GUIDE = `## Where a referral reward is marked

A referral reward is a record of an account. It is not a transaction: nobody signs it, \`/tx\` does not know it, and it has no hash of its own. It is paid when the macroblock is calculated, and its record names the microblock that it comes from.

* \`/account_rewards\` of an account marks it with \`"rectype":"iref"\`; the miner's own reward of the same microblock is \`"im"\`.
* \`/account_refreward\` lists these records alone, with the units in \`refreward\`. \`/account\` has them in the same member.
* \`/eindex_by_hash\` with the hash of a microblock says who got what from it: one \`im\` for the miner, an \`iref\` for each share of the referral reward.
* \`/mblock\` names the agent in \`header.referrer\`, and \`/stat/agent_info\` sums up what an agent brought in during a day.

The miner names its agent when it publishes. Then half of the referral reward goes to the miner and half to the agent if it holds the \`referrer_stake\` of the token, else to the owner of the token. Without an agent the owner of the token gets all of it. Each part is a record of whoever got it.`

const LATEST_GUIDE = `## The latest transactions

1. \`/height\` is the height of the open macroblock; the newest calculated one is below it.
2. \`/macroblock_by_height\` lists its microblocks.
3. \`/mblock\` lists the transactions of each, with their status.

\`/lasttxs\` gives ten of the newest macroblock in one answer. \`latestTransactions\` of the client walks the three steps over as many macroblocks as are asked for.`

export const guides: readonly string[] = [
  LATEST_GUIDE,
  SIGNING_GUIDE,
  REFERRAL_GUIDE,
  LIMITS_GUIDE,
  VERSIONS_GUIDE,
]
