import { gateSize } from '../../../scripts/gate-size.ts'
import { proveScenario } from './prove-scenario.ts'

/** Larger size: npm run simulate -- --scenario earning --seeds 200000 */
const SEEDS = gateSize('HAILSTONE_SEEDS', { change: 75, night: 20_000 })

proveScenario('G-1: a node that mines among nodes that disagree, under seeded faults', 'earning', SEEDS)
