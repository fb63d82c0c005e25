export { parseWebhookSecret } from './webhook/parse-webhook-secret.ts'
export { type PostOutcome, postWebhook } from './webhook/post-webhook.ts'
export { webhookWait } from './webhook/webhook-wait.ts'
