import { type OpenApiDocument, openApiDocument } from './open-api.ts'

/** Default address of a local network. */
const LOCAL_URL = 'http://127.0.0.1:4410/api/v1'

/** The document published as `openapi.json` and printed by `hailstone-network openapi`. */
export const publishedDocument = (): OpenApiDocument => openApiDocument({ serverUrl: LOCAL_URL })

/** The document as text for a file. */
export const publishedText = (): string => `${JSON.stringify(publishedDocument(), null, 1)}\n`
