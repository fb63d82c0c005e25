import { casesOf, everyCaseHas, nameOf } from '../case.ts'
import type { Check } from '../check.ts'

const reason = 'leader signatures (PROTOCOL 8) are not verified by this version'

/** Signatures of the leader: named and counted, not checked. */
export const check: Check = {
  kind: 'leader signatures',
  recognises: (file) =>
    everyCaseHas(file, 'mode') &&
    casesOf(file).some((given) => given.leader_sign !== undefined || given.h_point !== undefined),
  run: (file) => casesOf(file).map((given) => ({ name: nameOf(given), verdict: 'skipped', reason })),
}
