/** Meanings of wire members by path, with units and ranges. Recurring shapes are described once. */
export type Meanings = Readonly<Record<string, string>>

/** Prefixes the paths of meanings: `under('kblock.', …)`, `under('[].', …)`. */
export const under = (place: string, meanings: Meanings): Meanings =>
  Object.fromEntries(Object.entries(meanings).map(([path, meaning]) => [place + path, meaning]))

/** The network's units, as text. */
const UNITS =
  'Whole units: an integer up to 9007199254740991, a text of digits from 9007199254740992 on. Read both without going through a double.'

const TOKEN_UNITS = `In units of the token (10^decimals units are one coin). ${UNITS}`
const NATIVE_UNITS = `In native units (10^10 units are one coin). ${UNITS}`

const STATUS =
  '1 duplicate (the hash was calculated before), 2 rejected (a rule was broken, nothing was charged), 3 confirmed.'

export const feeMeanings: Meanings = {
  fee_type:
    '0: fixed fee. 1: percentage, `fee_value` in ten-thousandths of the net amount. 2: fixed, paid in the native token. Null for an unknown token.',
  fee_value: `Fee of a transfer: units of the token for type 0, ten-thousandths for type 1, native units for type 2. ${UNITS} Null for an unknown token.`,
  fee_min: `Least fee of a transfer of a token with a percentage. ${TOKEN_UNITS} Null for an unknown token.`,
}

export const tokenMeanings: Meanings = {
  hash: 'Identifier of the token, 64 hex digits: the hash of the transaction that created it; the native token has one of zeros.',
  owner: 'Address of the token owner, who gets the fees and pays the native fee of every transfer.',
  ...feeMeanings,
  ticker: 'Short name for people, 1 to 6 capital letters. Not unique: `hash` identifies a token.',
  decimals: 'How many decimals a coin has, 0 to 10.',
  total_supply: `Everything that exists of the token; grows with mining and minting. ${TOKEN_UNITS}`,
  caption: 'Long name given at creation, or null.',
  active: 'No meaning; 0.',
  reissuable: '1 when the owner can mint and burn, else 0. Not a boolean.',
  minable: '1 when proof of activity mines it, else 0. Not a boolean.',
  max_supply: `Limit of the total supply. ${TOKEN_UNITS} Null when it is not mined.`,
  block_reward: `Mined in each macroblock, referral part included. ${TOKEN_UNITS} Null when it is not mined.`,
  min_stake: `Least balance in the token with which a publication is accepted. ${TOKEN_UNITS} Null when it is not mined.`,
  referrer_stake: `Least balance in the token with which a referral agent earns. ${TOKEN_UNITS} Null when it is not mined.`,
  ref_share:
    'Referral reward in ten-thousandths of the mining reward; halved between miner and agent. Null when it is not mined.',
  txs_count: 'Confirmed transfers, often too small: the first round that has any counts as one.',
  cg_price_usd: 'Price of a coin in US dollars at a price service, or null.',
  dex_price_usd: 'Price of a coin in US dollars at the exchange of the network, or null.',
  price_raw: 'The same prices as stored.',
  'price_raw.cg_price': 'Price at the price service times 10^decimals, or null.',
  'price_raw.dex_price': 'Price at the exchange times 10^decimals, or null.',
  'price_raw.decimals': 'Decimals of the two prices, or null.',
}

export const keyBlockMeanings: Meanings = {
  hash: 'Hash of the key block, 64 hex digits; of the origin block a name in capitals.',
  n: 'Height, from 0.',
  time: 'Time of the block, Unix seconds.',
  publisher: 'Address of whoever produced the key block.',
  nonce: 'Number of the proof of work, 32 bits.',
  link: 'Hash of the key block before.',
  sprout: 'Name of the branch: the name of the origin block.',
  m_root: 'Merkle root over the microblocks and statblocks of the macroblock before, 64 hex digits.',
  leader: 'Owner of the stake pool that signed, of newer nodes.',
  leader_sign: "Leader's signature of `m_root`; null where the leader signs nothing. Absent on old servers.",
  'leader_sign.type': 'Always `Buffer`.',
  'leader_sign.data':
    'The bytes of a JSON text: the two points of the signature, or of newer nodes one ECDSA signature in hex.',
  reward: `Reward of the key block's publisher. ${NATIVE_UNITS} Null until the macroblock is calculated, which is when the next key block exists.`,
  target_diff: 'Packed difficulty: integer part in the top byte, fraction times 16777215 in the lower three.',
}

export const macroblockMeanings: Meanings = {
  kblock: 'The key block. Absent when the hash is unknown.',
  ...under('kblock.', keyBlockMeanings),
  mblocks: 'Its microblocks with transactions, ascending by hash; empty until they are calculated.',
  'mblocks[].hash': 'Hash of the microblock: ask `/mblock` for its transactions.',
  'mblocks[].tx_cnt': 'How many transactions it holds.',
  sblocks: 'Its statblocks, the votes of proof-of-stake pools; empty until they are calculated.',
  'sblocks[].hash': 'Hash of the statblock: ask `/sblock` for its reward.',
}

export const blockTransactionMeanings: Meanings = {
  hash: 'Hash of the transaction, 64 hex digits. The signature takes part in it.',
  from: 'Address of the sender.',
  to: 'Address of the receiver.',
  amount: `Gross amount taken from the sender, the fee inside. ${TOKEN_UNITS}`,
  mblocks_hash: 'Hash of the microblock that holds it.',
  nonce: 'Salt of the sender, 0 to 9007199254740991. It has no order.',
  status: STATUS,
  sign: 'Signature of the sender: ECDSA in DER, hex.',
  ticker: 'Identifier of the token, 64 hex digits. Here, unlike elsewhere, not the short name.',
  data: 'Memo or encoded contract, up to 512 characters.',
}

/** A calculated transaction in `/tx` and `/search`, without fee and net amount. */
export const transactionMeanings: Meanings = {
  status: STATUS,
  from: 'Address of the sender.',
  to: 'Address of the receiver.',
  total_amount: `Gross amount taken from the sender. ${TOKEN_UNITS}`,
  token_hash: 'Identifier of the token as it was sent.',
  ...feeMeanings,
  data: 'Memo or encoded contract.',
  hash: 'Hash of the transaction.',
  kblocks_hash: 'Key block of the copy that is shown.',
  mblocks_hash: 'Microblock of the copy that is shown: the one with the highest status.',
}

export const pendingMeanings: Meanings = {
  hash: 'Hash of the waiting transaction.',
  timeadded: "When it came into the pool: `YYYY-MM-DD HH:MM:SS` in the server's own time zone.",
  amount: blockTransactionMeanings.amount ?? '',
  from: 'Address of the sender, lower case.',
  to: 'Address of the receiver, lower case.',
  nonce: 'Salt of the sender.',
  ticker: 'Identifier of the token as it was sent.',
  data: 'Memo or encoded contract as it was sent.',
  sign: 'Signature as it was sent.',
}

export const plainHoldingMeanings: Meanings = {
  amount: `Balance of the account. ${TOKEN_UNITS}`,
  token: 'Identifier of the token.',
  ticker: 'Short name of the token.',
  decimals: 'Decimals of the token, 0 to 10.',
}

export const holdingMeanings: Meanings = {
  ...plainHoldingMeanings,
  minable: '1 when the token is mined, else 0.',
  reissuable: '1 when the token can be minted and burned, else 0.',
}

/** Members that all histories share. */
const historyMeanings: Meanings = {
  balance: `Native balance of the account, whatever the records are about. ${NATIVE_UNITS}`,
  records:
    'Up to ten records, newest first; empty beyond the last page. Absent without `page`, and for an account without records.',
  page_count:
    'Number of pages, one too small when the number of records is 1 modulo 10: read until a page is shorter than ten. Absent for an account without records.',
  id: 'The account as it was asked for.',
}

const recordMeanings: Meanings = {
  i: 'Number of the record among all records of the account, from 0; it has gaps in a list of one kind.',
  hash: 'What the record comes from: a microblock, statblock or key block for rewards, a transaction for transfers.',
  time: 'Time of the key block, Unix seconds.',
}

const RECTYPE =
  '`iin` received, `iout` sent, `im` mining, `iref` referral, `ik` key block, `istat` stake pool, `iv` its owner, `ic` claimed staking reward, `ifk` and `ifg` shares of the fees, `idust` rounding remainder. Show unknown types as they are.'

const rewardColumns: Meanings = {
  kreward: `Key-block reward, else null. ${NATIVE_UNITS}`,
  sreward: `Statblock reward, else null. ${NATIVE_UNITS}`,
  mreward: `Mining reward in units of the mined token, else null. ${UNITS}`,
}

const transferMeanings: Meanings = {
  status: STATUS,
  token_hash: 'Identifier of the transferred token as it was sent.',
  ...feeMeanings,
}

const NET =
  'net amount by the present fee of the token, as text, negative for a rejected payment below its fee; the gross amount when the token is unknown; else null.'

const netMeanings: Meanings = {
  output: `Sent: ${NET}`,
  input: `Received: ${NET}`,
  fee: 'Fee in units of the token by its present parameters, as text. Absent for an unknown token.',
}

const inRecords = (meanings: Meanings): Meanings => ({
  ...historyMeanings,
  ...under('records[].', { ...recordMeanings, ...meanings }),
})

export const rewardHistory: Meanings = inRecords({
  irew: 'Number of the record among the rewards of the account, from 0.',
  rectype: RECTYPE,
  amount: `The reward, in units of the token it was earned in. ${UNITS}`,
  ticker: 'Short name of the mined token when `hash` is a microblock, else null.',
})

export const transactionHistory: Meanings = inRecords({
  rectype: '`iin` received, `iout` sent; a transfer to oneself has both.',
  amount: `Gross amount, the fee inside. ${TOKEN_UNITS}`,
  data: 'Memo or encoded contract.',
  ...transferMeanings,
  status: '2 rejected (nothing moved), 3 confirmed. Duplicates are not listed.',
})

export const referralHistory: Meanings = inRecords({
  refreward: `Referral reward as miner, as agent or as token owner, in units of the mined token. ${UNITS}`,
})

export const minedHistory: Meanings = inRecords({
  ...rewardColumns,
  output: 'Null.',
  input: 'Null.',
})

export const transferHistory: Meanings = inRecords({
  ...rewardColumns,
  ...transferMeanings,
  ...netMeanings,
  kreward: 'Null.',
  sreward: 'Null.',
  mreward: 'Null.',
})

export const wholeHistory: Meanings = inRecords({
  rectype: RECTYPE,
  ...rewardColumns,
  refreward: `Referral reward in units of the mined token, else null. ${UNITS}`,
  ...transferMeanings,
  ...netMeanings,
  status: '2 rejected, 3 confirmed; null for rewards.',
  token_hash: 'Identifier of the transferred token; null for rewards.',
})

export { NATIVE_UNITS, TOKEN_UNITS, UNITS }
