/** What `hailstone help` prints. */
export const HELP = `hailstone – mine on a proof-of-activity network

  hailstone mine            mine with one key until Ctrl-C
  hailstone fleet           mine with many keys in one process
  hailstone status          how the miners of this machine are
  hailstone doctor          why am I not earning?
  hailstone wallet new      make an account               --out FILE [--plain]
  hailstone wallet import   keep a key that is piped in    --out FILE [--plain]
  hailstone wallet show     whose key a file holds         --key-file FILE
  hailstone wallet export   the key as hex                 --out FILE or --reveal
  hailstone send            make a payment                 --to ADDRESS --amount COINS
  hailstone watch balance   every change of a balance
  hailstone watch rewards   every reward, once and in order [--from first or NUMBER]
  hailstone bridge          let https pages reach ws gateways --upstream URL --listen PLACE

Where
  --network NAME            pulse, bit or local; there is no default
  --api URL                 API node; can be given again
  --gateway URL             proof-of-activity gateway; can be given again
  --allow-insecure          plain http to other machines

Who (never the key itself: others can read the command line)
  --key-file FILE           keystore, or one line of hex; mode 600
  --key-stdin               one line of hex on standard input
  --password-file FILE      password of the keystore [it is asked for]
  --address ADDRESS         for doctor and watch, which need no key
  --keys-file FILE          for fleet: one key for each line; mode 600

Mining
  --token ID                token to mine [the native one]
  --agent CODE              who invited you: ref_… or an address
  --block-time TIME         time between blocks [15s]
  --on-duplicate-key WORD   stop, or wait a minute and longer each time [stop]
  --health-port PORT        /health, /status and /metrics on 127.0.0.1; 0 takes any
  --supervise               for mine: start it again when it dies
  --threads N               for fleet: signing threads

Paying
  --memo TEXT               words that go with it
  --max-fee COINS           the most the network may take [1 % of the amount]
  --idempotency-key TEXT    your own name for it: asked for twice, it is paid once
  --accept-lost             although the journal is an old copy or damaged; look at the history first
  --yes                     no question
  --resume                  settle what was left

Bridging
  --upstream URL            gateway that is relayed to; can be given again
  --listen HOST:PORT        where it is reached [127.0.0.1:4430]
  --origin ORIGIN           page that may use it; can be given again [any]
  --tls-cert FILE --tls-key FILE   PEM; without them something in front of it adds TLS
  --behind-proxy            the client's address stands in x-forwarded-for
  --max-sessions N          [4000]
  --max-per-address N       [64]

Everywhere
  --json                    one JSON object for each line
  --data DIR                locks and journals [~/.hailstone]

Environment: HAILSTONE_NETWORK, HAILSTONE_API, HAILSTONE_GATEWAY, HAILSTONE_DATA, NO_COLOR.
Exit codes: EXIT-CODES.md of this package.`
