import type { ScenarioName } from './simulate.ts'

/** A seed that failed once and is now a test. */
export type Regression = { readonly scenario: ScenarioName; readonly seed: number; readonly was: string }

/**
 * A change of the simulated world changes the histories of all seeds. Then search for new seeds with the fault
 * planted again. Each fault found here also has a plain test beside its code.
 */
export const regressions: readonly Regression[] = [
  {
    scenario: 'payments',
    seed: 773,
    was: 'a fork moved the transaction at which the search for copies ended above a copy that was executed; the payment was sent again',
  },
  {
    scenario: 'disagreement',
    seed: 67,
    was: 'an old copy of a journal had paid, and took its own payment for the end of what it may lack; an order from below it was paid again',
  },
  {
    scenario: 'sessions',
    seed: 11,
    was: 'a session that ended because its key was taken over left its watch for sleep behind when it was started again',
  },
  {
    scenario: 'watching',
    seed: 3,
    was: 'a fork put other microblocks under the same key block, unseen; rewards were never delivered again',
  },
  {
    scenario: 'watching',
    seed: 76,
    was: 'the first height of all was made up; nothing was delivered until the chain would have reached it',
  },
  {
    scenario: 'watching',
    seed: 277,
    was: 'a node showed rewards of a macroblock that its height did not count, and a fork replaced it; rewards were never delivered again',
  },
  {
    scenario: 'mining',
    seed: 7,
    was: 'what was caught up with after the API was away counted as silence of a gateway that had sent beacons all the while',
  },
  {
    scenario: 'mining',
    seed: 14,
    was: 'a start set the count of what was signed to zero, and what was signed before came in: more included than signed',
  },
  {
    scenario: 'rewards',
    seed: 2,
    was: 'a node that was behind knew no header of a microblock; its reward was told without height, role and token, and a missed referral was passed over',
  },
  {
    scenario: 'rewards',
    seed: 4,
    was: 'half a cursor counted as none; the watch began from now, and what lay between was lost',
  },
  {
    scenario: 'rewards',
    seed: 6,
    was: 'one answer of a node that was behind was told as a fall of the balance',
  },
  {
    scenario: 'rewards',
    seed: 17,
    was: 'an empty history of a node that was starting took rewards back after some seconds',
  },
  {
    scenario: 'rewards',
    seed: 19,
    was: 'the API was three hundred macroblocks behind when a watch began from now; what it caught up with was told as new',
  },
  {
    scenario: 'rewards',
    seed: 22,
    was: 'two nodes at one address gave pages that did not fit together, and a long history was never read to its end',
  },
  {
    scenario: 'rewards',
    seed: 32,
    was: 'pages of nodes at other heights were joined with a gap; four rewards of the gap were lost',
  },
  {
    scenario: 'earning',
    seed: 7,
    was: 'pages of a node that was ahead and of one that was behind were joined with a gap; its rewards were lost to a miner',
  },
  {
    scenario: 'earning',
    seed: 38,
    was: 'one empty answer about the token ended mining for good',
  },
  {
    scenario: 'fleets',
    seed: 9,
    was: 'one empty answer about the records of a block passed over what it had paid',
  },
  {
    scenario: 'fleets',
    seed: 15,
    was: 'half a place of a fleet counted as none; webhooks began from now',
  },
  {
    scenario: 'earning',
    seed: 30,
    was: 'an API fifty macroblocks behind went on at the pace of the clock and passed for current; what it caught up with was told as new',
  },
  {
    scenario: 'fleets',
    seed: 153,
    was: 'the height was read before a fork and the macroblock after it; its rewards were told to be gone while they stood',
  },
  {
    scenario: 'rewards',
    seed: 128,
    was: 'the first height was answered and no macroblock could be read for twenty seconds; a watch of missed referrals began five macroblocks later',
  },
  {
    scenario: 'fleets',
    seed: 2_310,
    was: 'one node had the macroblock open still that another one had shown; after a fork its rewards were told to be gone while they stood',
  },
  {
    scenario: 'fleets',
    seed: 119,
    was: 'a watch of a fleet knew nothing of its gateways; an API a hundred macroblocks behind at the pace of the clock passed for current',
  },
  {
    scenario: 'earning',
    seed: 239,
    was: 'one node at an address had the key block that a gateway named, the other was fifty macroblocks behind at the pace of the clock and passed for current',
  },
  {
    scenario: 'rewards',
    seed: 370,
    was: 'a watch asked where it began while the poll read fifty macroblocks one after the other; those read so far fitted the pace of the clock',
  },
  {
    scenario: 'fleets',
    seed: 294,
    was: 'the API was away, and an answer of a node that was behind counted as fresh; READY while eight named key blocks were not shown',
  },
  {
    scenario: 'fleets',
    seed: 389,
    was: 'one node named the height and another one, five behind, showed the macroblocks; a fleet that began waited for it to catch up and told nothing',
  },
  {
    scenario: 'earning',
    seed: 93,
    was: 'the API stood still on a fork that was left when a node began; what was open then counted as older than the node, and its rewards were lost',
  },
  {
    scenario: 'rewards',
    seed: 20_014,
    was: 'a fork took a reward three hundred rewards above which nothing was told; each failed answer began the search for it anew',
  },
  {
    scenario: 'rewards',
    seed: 496,
    was: 'the API stood still and went on; its macroblocks were read one in ten seconds, and a height of minutes ago was told',
  },
  {
    scenario: 'rewards',
    seed: 573,
    was: 'pages of two nodes were shifted against each other and one answer in ten failed; what answers had shown of the lines between two pages was forgotten',
  },
  {
    scenario: 'rewards',
    seed: 754,
    was: 'one of two nodes was fifty macroblocks behind; a reading that met it ended, what was read so far passed for current, and old rewards were told as new',
  },
  {
    scenario: 'rewards',
    seed: 979,
    was: 'a line of a fork that was left was remembered; its block was asked for until it was told without height, token and role',
  },
  {
    scenario: 'rewards',
    seed: 8_018,
    was: 'the program had been killed when the run was judged; a referral that it would have seen counted as lost by the watch',
  },
  {
    scenario: 'fleets',
    seed: 8_503,
    was: 'a fleet that had just begun looked through a fork before the poll saw it part below; its rewards were told to be gone while they stood',
  },
  {
    scenario: 'fleets',
    seed: 10391,
    was: 'a fleet began on a fork that was left below the memory of its poll, and went on from the lowest macroblock that was seen replaced; those below it were lost',
  },
  {
    scenario: 'fleets',
    seed: 911,
    was: 'below the memory of the poll, a node that was left behind showed a macroblock of its fork and the one that it is built on; rewards that stood were taken back',
  },
  {
    scenario: 'rewards',
    seed: 9143,
    was: 'the claim that lines were missing was kept after they had been taken back, and proved for older ones by one answer of a node that was behind',
  },
  {
    scenario: 'earning',
    seed: 1432,
    was: 'a node that was behind denied a balance while macroblocks of minutes were shown in a moment, and once more after all had stood still; it was told to have fallen',
  },
  {
    scenario: 'earning',
    seed: 3602,
    was: 'after the API had been hundreds of macroblocks behind, the node that named the height was always ahead of the one that showed macroblocks; nothing was read any more',
  },
  {
    scenario: 'fleets',
    seed: 17958,
    was: 'a node on a fork that was left had one macroblock more than a node that was behind had shown; rewards that stood were taken back',
  },
  {
    scenario: 'fleets',
    seed: 18115,
    was: 'a watch that begins now dated its beginning later by as long as its first answers took; rewards in between were lost',
  },
  {
    scenario: 'earning',
    seed: 6555,
    was: 'an API that had been away for minutes showed one macroblock more, and twelve key blocks that were named meanwhile counted for nothing; READY while it stood still',
  },
  {
    scenario: 'rewards',
    seed: 15421,
    was: 'an API that had stood still had all macroblocks again, and the poll read the next one when it was due; by that pace it passed for current, and old rewards were told as new',
  },
  {
    scenario: 'fleets',
    seed: 8461,
    was: 'the same in a fleet, whose poll read three macroblocks in a minute and the API had eleven more',
  },
  {
    scenario: 'rewards',
    seed: 18993,
    was: 'an older copy of a cursor was restored, and its watch was judged by the beginning of the one that had begun since without a cursor',
  },
  {
    scenario: 'rewards',
    seed: 13_964,
    was: 'one node showed the key block that was open when a watch began, and the others lacked it; what a page of the first one showed of it counted as old, and was lost',
  },
  {
    scenario: 'rewards',
    seed: 18_365,
    was: 'a macroblock was calculated a second and a quarter after a watch began, and before its first reading; its rewards counted as old, and were lost',
  },
  {
    scenario: 'earning',
    seed: 3_207,
    was: 'a fork took a line, and its place was between two pages as long as nothing more was earned; no answer denied it, and rewards were never delivered again',
  },
  {
    scenario: 'rewards',
    seed: 18507,
    was: 'a node was starting, before and after the program stood still for minutes; its empty histories counted over all that time, and all rewards were taken back',
  },
  {
    scenario: 'rewards',
    seed: 19884,
    was: 'after a fork a node was behind the macroblock below it; a reward of that one, which stood, was told to be gone',
  },
  {
    scenario: 'earning',
    seed: 3201,
    was: 'the disk was full when a balance was told, and it was never written again; after a kill and a fork the cursor had what there was once more, and the fall was not told',
  },
  {
    scenario: 'fleets',
    seed: 3266,
    was: 'once the poll had gone back to where a fork began, a node that was left behind showed the next macroblock of before; what the fork had filled anew was taken back',
  },
  {
    scenario: 'earning',
    seed: 1115,
    was: 'a line stood two pages down, and of two nodes one stood still; eight of its answers denied the line before the other one had shown three pages in a row, and the reward was taken back',
  },
  {
    scenario: 'earning',
    seed: 661,
    was: 'a fork put the macroblocks below the beginning back, and what was mined in those that took their place was older than the beginning by its height: 12 rewards were not told',
  },
  {
    scenario: 'disagreement',
    seed: 14546,
    was: 'a node that was left behind showed the macroblock of a payment as it was before a fork, and the others the key blocks of the fork on top, which link to the same key block and commit to other microblocks; the payment was confirmed for good and was nowhere',
  },
  {
    scenario: 'rewards',
    seed: 2548,
    was: 'while lines stood forty pages further down than before, each failed answer of a comparison made the next one begin at the first page; after twelve minutes nothing new was told',
  },
  {
    scenario: 'fleets',
    seed: 348,
    was: 'a fork put the chain back below the beginning of a fleet while no process looked; what it paid below its stored place was never told',
  },
  {
    scenario: 'fleets',
    seed: 2216,
    was: 'the key block that was open at the beginning was not shown by the node that was asked once, and after a fork the fleet did not go below the height at which it began',
  },
  {
    scenario: 'fleets',
    seed: 5092,
    was: 'a fleet handed out its first macroblock while the chain had not come to where its beginning is looked for; it then went down, and handed the macroblock out again',
  },
  {
    scenario: 'fleets',
    seed: 6695,
    was: 'the open key block that was asked for at the beginning was of a fork; the fleet took its time for that of the beginning, and did not go down',
  },
  {
    scenario: 'fleets',
    seed: 1086,
    was: 'a clock was wrong by an hour, and a fork came five seconds after the beginning; the key block that the fork put above the anchor was taken for the one that was open then, and five rewards from below it were not told',
  },
  {
    scenario: 'fleets',
    seed: 9006,
    was: 'five answers at once, of a node that was behind, lacked the key block that was open at the beginning; the fleet did not go down after a fork, and nine rewards were not told',
  },
  {
    scenario: 'watching',
    seed: 5044,
    was: 'a program was killed between its listener and its cursor, and a fork took that reward before the next start; it was never taken back',
  },
  {
    scenario: 'fleets',
    seed: 14957,
    was: 'a fleet began at a macroblock that may have been open, for which the key block above was not shown; it took the time for unknown, did not go down after a fork, and six rewards were not told',
  },
  {
    scenario: 'rewards',
    seed: 2993,
    was: 'a clock was wrong by an hour, and one answer in ten failed; where a watch begins takes some twenty answers, each failure began that anew, and it was not known for ten minutes',
  },
  {
    scenario: 'fleets',
    seed: 830,
    was: 'ten questions for the open key block failed where a fleet began; it took its time for unknown, did not go down after a fork, and eight rewards were not told',
  },
  {
    scenario: 'rewards',
    seed: 16909,
    was: 'an API stood still 300 macroblocks behind, with nodes that lie five apart; the one that answered last had more, as if the chain went on at the pace of the clock, and old rewards were told as new',
  },
  {
    scenario: 'fleets',
    seed: 1720,
    was: 'the same 700 macroblocks behind with three nodes: an old reward of a fleet was told as new',
  },
]
