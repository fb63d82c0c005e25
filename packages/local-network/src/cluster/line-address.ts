/** Place at which the leader listens for the gateways of other processes. */
export type LinePlace = { readonly host: string; readonly port: number }

/** The place, with the text that opens it: one for each lead, which stands in the database alone. */
export type LineAddress = LinePlace & { readonly secret: string }

/** Path of the line between a gateway and the leader. */
export const LINE_PATH = '/line'
/** Header that names the gateway, so that the leader knows a line that was opened anew. */
export const GATEWAY_HEADER = 'x-gateway'

export const formatLinePlace = ({ host, port }: LinePlace): string => `${host}:${port}`

/** Returns null for a text that is no place. */
export function parseLinePlace(text: string | null): LinePlace | null {
  const [, host, port] = /^(.*):(\d+)$/.exec(text ?? '') ?? []
  return host === undefined ? null : { host, port: Number(port) }
}
