import { gateSize } from '../../../scripts/gate-size.ts'
import { proveScenario } from './prove-scenario.ts'

/** Larger size: npm run simulate -- --scenario fleets --seeds 200000 */
const SEEDS = gateSize('HAILSTONE_SEEDS', { change: 75, night: 20_000 })

proveScenario('G-1: fleets and webhooks among nodes that disagree, under seeded faults', 'fleets', SEEDS)
