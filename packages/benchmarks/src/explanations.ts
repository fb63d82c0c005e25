const reads = ['height', 'token_info', 'balance', 'tx', 'macroblock', 'mblock', 'history page']

const besideMiners = Object.fromEntries(
  ['embedded', 'PostgreSQL'].flatMap((engine) =>
    reads.map((read) => [
      `P-17 ${engine}: ${read} with 1000 miners as without`,
      'The lower end of the interval, or a median just below: with and without miners are measured in turns, and one turn differs from the next by more than the fifth that is asked about.',
    ]),
  ),
)

/**
 * Explanations of missed goals and of what would reach them, by benchmark and goal. Each is printed while its goal is
 * missed. Figures are in the table above it, so that a sentence stays true when they change a little.
 */
export const explanations: Readonly<Record<string, string>> = {
  ...besideMiners,
  'P-1 with the addon against the addon alone':
    'The rest is hex and DER around each call; the worse end of the interval misses by a point when the machine is busy.',
  'P-1 with the WebAssembly against it alone':
    'As with the addon: hex and DER around each call, and the worse end of the interval.',
  'P-1 with the WebAssembly against ethers':
    'The WebAssembly alone is not four times as fast as this ethers either, which signs four times as fast as the one the goal was set with. The addon is.',
  "P-4 median against the publisher's signature":
    'Ten verifications by OpenSSL take most of it, and the publisher makes none; with the addon, or without the check, the goal is reached. Payments that a beacon before brought are not verified again, so an ordinary beacon lies between the two lines.',
  'P-4 median against the echo, pure JavaScript':
    'The echo is ten times as fast as where the goal was set, and one signature in JavaScript alone is several times the echo. Reading, ten hashes and the session take about as long as the thin miner.',
  'P-4 median against the echo, with the addon':
    'Ten verifications by the addon take about ten times the echo. Without them, what is left is a few tenths of a millisecond: the frame, the socket, 80 hashes, one signature. Nothing that hashes and signs comes to twice this echo.',
  "P-5 median against the publisher's way":
    'A thousand verifications, which the publisher does not make. A second thread takes its share from the end, half with OpenSSL and two thirds and more where the addon is installed; payments of earlier beacons are not verified again. All of OpenSSL on two idle cores is still four times the publisher.',
  'P-5 the same, no payment verified as by the publisher':
    'Both then spend their time on the same 8,000 hashes and half a megabyte of JSON; ours is the lossless reading and a check of every field more, and a signature of 20 ms less.',
  'P-5 median against the echo, with the addon':
    'A thousand verifications take fifty times the echo; without them the 8,000 hashes alone take several times the echo.',
  "P-10 against the web library's way":
    'Half of a call is the request itself; the other half reads without rounding and checks each field, which the library leaves out. It opens a connection for each request, whose cost changes here from run to run: medians of one day lay between 1.9 and 3.0.',
  'P-10 against undici and JSON.parse, validation included':
    'The transport is cheaper than the request of undici beside it (it uses neither its streams nor signals). What is above JSON.parse is the lossless reading, about 5 µs, and the check of 40 fields, about 6 µs; only a reader that knows the fields while it reads would save one of the two.',
  'P-11 against viem, not batched': 'The lower end of the interval only: the machine decides.',
  'P-11 against ethers':
    'ethers gets many blocks in one batched request, which this API does not have: ours asks twice for each macroblock and checks every hash.',
  'P-11 against the same GETs without any check':
    'The GETs cost the same. The rest is reading both answers exactly, recomputing the hashes of payments, microblock and tree, and keeping order.',
  'C-6 all own: against walkChain alone':
    'The rewards of each own microblock are a request of their own, since no question of the API tells all that several paid. The walk with these requests, and nothing done with the answers, is the line between. They are what a lie about a reward is found by, so none is saved. So short a chain also keeps rows to undo each of its blocks, which a longer one keeps for the newest 2,000 alone.',
  'C-6 one of eight own: against walkChain alone':
    'As above with an eighth of the requests; an index also opens its connections and reads its rows, which a longer chain does as often.',
  'P-12 at most 2 requests for a change':
    'One reading for each change and none besides; on top come the first reading of each account, and for each macroblock the macroblock, its microblocks and one or two polls of the height, which all accounts share.',
  "P-12 at most a third of the app's":
    'As above; the share sinks with the number of accounts, which share the polls.',
  'P-14 at most 50 MB resident':
    'Most of it is Node alone. Finding files wakes the optimizing compiler of V8, whose pages stay: with --no-opt the same import keeps 51.',
  'P-17 embedded: POST /tx against the verification alone':
    'The verification is half of it on a quiet machine and a little less on a busy one. The other half is the way of request and answer, the two hashes of a payment, and the books of the pool.',
  'P-17 PostgreSQL: POST /tx against the verification alone':
    'A payment is written for all processes before it is answered: one statement for some twelve payments at a time, a notification for some twenty, and a look whether one of them was calculated before. The rest is as on the embedded engine, only that a process which waits for a server in between does less in each turn of its event loop.',
}
