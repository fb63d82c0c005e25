export {
  balanceQuery,
  heightQuery,
  networkInfoQuery,
  type Query,
  rewardsQuery,
  tokenQuery,
  transactionQuery,
} from './queries.ts'
export { deserialize, serialize } from './serialize.ts'
