// `npm run test:costs`: writes into scripts/test-costs.json what the test files of the last runs cost, by the clock and of the
// processor. The order of a run and the budget of a change are made from it.
import { writeCosts } from './bootstrap.mjs'

writeCosts()
