import { ROUTE_PATTERN } from './app-routes.ts'
import { BRIDGE_ADDRESS, type HostRules, IMMUTABLE, IMMUTABLE_FOLDER } from './host-rules.ts'

/** Prints a site for Caddy 2.6 and newer, which obtains the certificate itself. */
export const caddyfile = ({
  id,
  hostName,
  headers,
  bridgePath,
}: HostRules): string => `# Put this into /etc/caddy/Caddyfile and the built folder at /srv/${id}.

${hostName} {
	root * /srv/${id}
	encode gzip

	header {
		Strict-Transport-Security "max-age=31536000"
${headers.map(([name, value]) => `\t\t${name} "${value}"`).join('\n')}
		-Server
	}
	header ${IMMUTABLE_FOLDER}* Cache-Control "${IMMUTABLE}"
	@changing not path ${IMMUTABLE_FOLDER}*
	header @changing Cache-Control "no-cache"
	header /manifest.webmanifest {
		Content-Type "application/manifest+json; charset=utf-8"
		defer
	}
	header /.well-known/apple-app-site-association {
		Content-Type "application/json"
		defer
	}

	# Routes of the app get its page. Everything else is a file, or missing.
	@route path_regexp ^/${ROUTE_PATTERN}$
	route {
${bridgePath === null ? '' : bridge(bridgePath)}		rewrite @route /index.html
		file_server
	}
	handle_errors {
		header Cache-Control "no-store"
		respond "{http.error.status_code}"
	}
}
`

const bridge = (path: string): string => `		# hailstone bridge --behind-proxy, on this machine
		handle ${path} {
			rewrite * /
			reverse_proxy ${BRIDGE_ADDRESS} {
				header_up X-Forwarded-For {http.request.remote.host}
			}
		}
`
