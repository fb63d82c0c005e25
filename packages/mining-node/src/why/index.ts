/** Answers to what miners ask, as facts that every language words its own way, with the English sentences. */

export { type Answers, type AnswersQuestion, readAnswers } from './read-answers.ts'
export { readNamedAgent } from './read-named-agent.ts'
export {
  explainReferral,
  isUnmet,
  type NamedAgent,
  type ReferralFacts,
  type ReferralPart,
  type ReferralSide,
  referralSentence,
} from './referral.ts'
export { isUnseen, readSeen, type Seen, seenSentence, type UnseenReason } from './seen.ts'
export {
  explainShare,
  NOT_ANSWERED,
  type ShareFacts,
  type SharePart,
  shareFactsOf,
  shareSentence,
  type Unknown,
  type WorkCounts,
  workOf,
} from './share.ts'
