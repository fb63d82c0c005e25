import { plainJson } from '@hailstone/protocol'
import { IDLE } from '../idle.ts'
import type { SessionState, StopReason, WaitReason } from './state.ts'

/** A state in words: one sentence each for its reason and for what a person can do about it. */
export type Explanation = {
  /** Empty when everything is as it should be. */
  readonly why: string
  /** Empty when nothing needs to be done. */
  readonly nextStep: string
}

type Topic =
  | Exclude<SessionState['status'], 'waiting' | 'stopped'>
  | WaitReason['kind']
  | 'noGateway'
  | 'nativeTokenAsked'
  | 'gatewaySaid'
type Sentences = readonly [why: string, nextStep?: string]

const GATEWAY = 'Check the address of the gateway and the network.'
const API = 'Check the address of the API, or name the token to mine.'
const DOUBT = 'Check token and API; the API is asked again, and mining goes on by itself.'
const TOKEN = 'Name another token, or none for the native one.'
const UPDATE = 'If this goes on, update this package.'
const STAKE = 'Check your stake in the mined token.'
const OPERATOR = 'Ask whoever runs the gateway what that means; it is asked again by itself.'
const DUPLICATE_KEY = 'duplicate key: another device mines with this key'
const OTHER_DEVICE = 'Stop the other device or use another key here'

/** Explanation and next step by status or wait reason. Names in braces stand for members of the reason. */
const sentences: { readonly [T in Topic]: Sentences } = {
  idle: [IDLE.why, IDLE.nextStep],
  connecting: ['connecting to the gateway, attempt {attempt}'],
  waitingForBeacon: ['waiting for a beacon: the network is idle or your stake is below the minimum', STAKE],
  mining: [''],
  gatewayUnreachable: ['gateway unreachable: {detail}', GATEWAY],
  handshakeTimeout: ['gateway unreachable: no handshake in time', GATEWAY],
  connectionClosed: ['the gateway closed the connection with code {code}'],
  gatewaySaid: ['the gateway closes the connection and says: {said}', OPERATOR],
  connectionSilent: ['the gateway is silent'],
  publicationSuspected: ['cut off right after a publication: it may have been refused', STAKE],
  duplicateKey: [`${DUPLICATE_KEY} at {host}; this one takes its turn in {seconds} s`, `${OTHER_DEVICE}.`],
  wrongProtocolVersion: ['the gateway {host} speaks another version of the protocol', UPDATE],
  ownSessionLingers: ['the gateway may still hold our last session'],
  redirectsExhausted: ['the gateway redirects without end', GATEWAY],
  bootNodeSilent: ['the boot node names no gateway', GATEWAY],
  frameTooLarge: ['the gateway sends more than can be read', GATEWAY],
  gatewayRefused: ['the gateway refused with HTTP status {status}', GATEWAY],
  noGateway: ['no gateway at this address: HTTP status {status}', `${GATEWAY} This one may be an API.`],
  gatewayMisbehaves: ['the gateway sends what cannot be used: {why}', 'Use another gateway.'],
  gatewaySilent: ['no beacon while others mined {macroblocks} macroblocks'],
  publicationsIgnored: ['what is published at this gateway is not included'],
  offline: ['this device is offline'],
  slept: ['this device slept'],
  signerFailed: ['not signed: {detail}'],
  nativeTokenAsked: ['asking the API which token is native'],
  nativeTokenUnknown: ['waiting for the API to say which token is native: {detail}', API],
  stakeUnknown: ['asking the API how large a stake has to be'],
  unknownToken: ['holding back: {detail}', DOUBT],
  tokenNotMineable: ['holding back: {detail}', DOUBT],
  anotherNetwork: ['holding back: {detail}', DOUBT],
  stakeTooLow: ['holding back: {detail}', 'Top up the balance; mining goes on by itself.'],
}

const stopSentences: { readonly [R in StopReason]: Sentences } = {
  requested: ['stopped'],
  duplicateKey: [DUPLICATE_KEY, `${OTHER_DEVICE}, then start mining again.`],
  wrongProtocolVersion: ['the gateway speaks another version of the protocol', UPDATE],
  unknownToken: ['the network does not know the token that was named', TOKEN],
  tokenNotMineable: ['the token that was named cannot be mined', TOKEN],
  signerRefused: ['the signer refused'],
  anotherNetwork: ['the API belongs to another network', 'Check the address of the API and the network.'],
}

function explain([why, nextStep = '']: Sentences, facts: object = {}): Explanation {
  const values = facts as Readonly<Record<string, unknown>>
  const text = why.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
  return { why: text.replace(/: $/, ''), nextStep }
}

/** Explains the state of a mining session in one sentence. */
export function describeSession(state: SessionState): Explanation {
  if (state.status === 'waiting') return describeWait(state.reason, state.delayMs)
  if (state.status === 'stopped') return describeStop(state.reason)
  const { why, nextStep } = explain(sentences[state.status], state)
  return { why: why.replace(/, attempt 1$/, ''), nextStep }
}

/** Explains in one sentence why a session is between two connections. */
export const describeWait = (reason: WaitReason, delayMs: number): Explanation =>
  explain(sentences[topicOf(reason)], {
    ...reason,
    ...placeOf(reason),
    seconds: Math.round(delayMs / 1000),
    ...('said' in reason && { said: plainJson(String(reason.said)) }),
  })

/** What is not said twice: the system may have named the place already. */
function placeOf(reason: WaitReason): { readonly detail?: string } {
  if (reason.kind !== 'gatewayUnreachable' || reason.url === undefined) return {}
  const { host } = new URL(reason.url)
  return reason.detail.includes(host) ? {} : { detail: `${host}: ${reason.detail}` }
}

function topicOf(reason: WaitReason): Topic {
  // An API answers 404 to the upgrade, or 200 with a page at its root.
  if (reason.kind === 'gatewayRefused' && [200, 404].includes(reason.status)) return 'noGateway'
  // Nothing has failed yet.
  if (reason.kind === 'nativeTokenUnknown' && reason.detail === '') return 'nativeTokenAsked'
  if (reason.kind === 'connectionClosed' && reason.said !== undefined) return 'gatewaySaid'
  return reason.kind
}

export const describeStop = (reason: StopReason): Explanation => explain(stopSentences[reason])
