import * as brand from '@hailstone/brand'
import * as brandCheck from '@hailstone/brand/check'
import * as brandRuntime from '@hailstone/brand/runtime'
import * as brandTools from '@hailstone/brand/tools'
import * as client from '@hailstone/client'
import * as mnemonic from '@hailstone/client/mnemonic'
import * as database from '@hailstone/database'
import * as faultInjection from '@hailstone/fault-injection'
import * as indexer from '@hailstone/indexer'
import * as ledger from '@hailstone/ledger'
import * as localNetwork from '@hailstone/local-network'
import * as miningNode from '@hailstone/mining-node'
import * as amounts from '@hailstone/mining-node/amounts'
import * as bridge from '@hailstone/mining-node/bridge'
import * as fleet from '@hailstone/mining-node/fleet'
import * as health from '@hailstone/mining-node/health'
import * as leader from '@hailstone/mining-node/leader'
import * as watch from '@hailstone/mining-node/watch'
import * as why from '@hailstone/mining-node/why'
import * as protocol from '@hailstone/protocol'
import * as accelerated from '@hailstone/protocol/accelerated'
import * as leaderSignature from '@hailstone/protocol/leader'
import * as reference from '@hailstone/protocol/reference'
import * as schema from '@hailstone/protocol/schema'
import * as react from '@hailstone/react'
import * as runtime from '@hailstone/runtime'
import * as runtimeNode from '@hailstone/runtime/node'
import * as whiteLabel from '@hailstone/white-label'
import * as shell from '@hailstone/white-label/shell'

/** Every entry that is published, for a compiler that looks into each of its declarations. */
export const entries = [
  ...[
    brand,
    brandCheck,
    brandRuntime,
    brandTools,
    client,
    mnemonic,
    database,
    faultInjection,
    indexer,
    ledger,
    localNetwork,
    react,
  ],
  ...[miningNode, amounts, bridge, fleet, health, leader, watch, why],
  ...[protocol, accelerated, leaderSignature, reference, schema, runtime, runtimeNode],
  ...[whiteLabel, shell],
]

/** A test of an application, against a network of its own. */
export async function earn(): Promise<bigint> {
  await using network = await localNetwork.startLocalNetwork({ seed: 'typed' })
  await using node = miningNode.createMiningNode({ wallet: client.createWallet(), apiUrl: network.apiUrl })
  await node.start()
  return node.snapshot().balance?.amount ?? 0n
}
