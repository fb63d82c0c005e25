import { ROUTE_PATTERN } from './app-routes.ts'
import { BRIDGE_ADDRESS, type HostRules, IMMUTABLE, IMMUTABLE_FOLDER } from './host-rules.ts'

/** Prints a site for nginx 1.22 and newer. Headers stand in one place: an `add_header` in a location drops the others. */
export function nginxConfiguration({ id, hostName, headers, bridgePath }: HostRules): string {
  const cache = `$cache_of_${id.replaceAll('-', '_')}`
  return `# Put this file into /etc/nginx/conf.d/ and the built folder at /srv/${id}.
# A certificate: certbot certonly --nginx -d ${hostName}

map "$status $uri" ${cache} {
  default                              "no-cache";
  "~^(200|206|304) ${IMMUTABLE_FOLDER}"  "${IMMUTABLE}";
  "~^[45]"                             "no-store";
}

server {
  listen 80;
  listen [::]:80;
  server_name ${hostName};
  return 301 https://$host$request_uri;
}

server {
  listen 443 ssl http2;
  listen [::]:443 ssl http2;
  server_name ${hostName};
  ssl_certificate     /etc/letsencrypt/live/${hostName}/fullchain.pem;
  ssl_certificate_key /etc/letsencrypt/live/${hostName}/privkey.pem;

  root /srv/${id};
  server_tokens off;
  charset utf-8;
  charset_types text/css application/javascript application/json application/manifest+json image/svg+xml;
  gzip on;
  gzip_vary on;
  gzip_min_length 1024;
  gzip_types text/css application/javascript application/json application/manifest+json image/svg+xml;

  add_header Strict-Transport-Security "max-age=31536000" always;
${headers.map(([name, value]) => `  add_header ${name} "${value}" always;`).join('\n')}
  add_header Cache-Control ${cache} always;

  # Routes of the app get its page. Everything else is a file, or missing.
  location / { try_files $uri =404; }
  location ~ ^/(?:${ROUTE_PATTERN})?$ { try_files /index.html =404; }
  location ^~ /.well-known/ { default_type application/json; try_files $uri =404; }
  location = /manifest.webmanifest { default_type application/manifest+json; try_files $uri =404; }
${bridgePath === null ? '' : bridge(bridgePath)}}
`
}

const bridge = (path: string): string => `
  # hailstone bridge --behind-proxy, on this machine
  location = ${path} {
    proxy_pass http://${BRIDGE_ADDRESS}/;
    proxy_http_version 1.1;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection upgrade;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_read_timeout 1h;
  }
`
