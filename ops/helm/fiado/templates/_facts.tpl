{{/* What the values amount to. `conditions` in processes.yaml names some of these. */}}
{{- define "fiado.facts" -}}
{{- $settings := .Values.settings -}}
queuesInRedis: {{ eq .Values.queues "redis" }}
queuesInPostgres: {{ eq .Values.queues "postgres" }}
collectorNeedsHeaders: {{ has "OTEL_EXPORTER_OTLP_HEADERS" .Values.optionalSecrets }}
readsFromReplica: {{ has "READ_DATABASE_URL" .Values.optionalSecrets }}
exchangesEncryptionKey: {{ has "ENCRYPTION_KEY_PREVIOUS" .Values.optionalSecrets }}
exchangesCodePepper: {{ has "CODE_PEPPER_PREVIOUS" .Values.optionalSecrets }}
exchangesAccessTokenKey: {{ has "ACCESS_TOKEN_PRIVATE_KEY_PREVIOUS" .Values.optionalSecrets }}
exchangesTwilioToken: {{ has "TWILIO_AUTH_TOKEN_PREVIOUS" .Values.optionalSecrets }}
signInByProvider: {{ not (empty $settings.OIDC_ISSUER) }}
smsByTwilio: {{ eq ($settings.SMS_PROVIDER | default "console") "twilio" }}
lenderInvoices: {{ or (eq ($settings.INVOICE_PROVIDER | default "none") "facturapi") (has "FACTURAPI_KEY" .Values.optionalSecrets) }}
uploadsInFolder: {{ empty $settings.UPLOADS_URL }}
uploadsByKey: {{ not (empty $settings.UPLOADS_ACCESS_KEY_ID) }}
exportsInStore: {{ not (empty $settings.EXPORTS_URL) }}
exportsByKey: {{ not (empty $settings.EXPORTS_ACCESS_KEY_ID) }}
scales: {{ ne .Values.autoscaling.kind "none" }}
{{- end -}}

{{/* The most instances of a process: (dict "root" $ "process" "accounts"). */}}
{{- define "fiado.mostReplicas" -}}
{{- $values := get .root.Values .process -}}
{{- if eq .root.Values.autoscaling.kind "none" -}}{{ int $values.replicas }}{{- else -}}{{ int $values.maxReplicas }}{{- end -}}
{{- end -}}

{{/* Not empty if an autoscaler sets the number of instances: (dict "root" $ "process" "accounts"). */}}
{{- define "fiado.isScaled" -}}
{{- $values := get .root.Values .process -}}
{{- if and (ne .root.Values.autoscaling.kind "none") (gt (int $values.maxReplicas) (int $values.replicas)) -}}true{{- end -}}
{{- end -}}

{{/* Refuses values that the schema cannot compare. */}}
{{- define "fiado.check" -}}
{{- $facts := include "fiado.facts" . | fromYaml -}}
{{- if and $facts.uploadsInFolder (gt (include "fiado.mostReplicas" (dict "root" . "process" "accounts") | int) 1) -}}
{{- fail "accounts keeps images in a folder, so it has one instance: set accounts.replicas to 1, or settings.UPLOADS_URL" -}}
{{- end -}}
{{- if and (eq .Values.autoscaling.kind "keda") (empty .Values.autoscaling.prometheusUrl) -}}
{{- fail "autoscaling.kind keda needs autoscaling.prometheusUrl" -}}
{{- end -}}
{{- if and .Values.console.enabled (empty .Values.settings.CONSOLE_URL) -}}
{{- fail "console.enabled needs settings.CONSOLE_URL, to which passkeys belong" -}}
{{- end -}}
{{- if and .Values.ingress.consoleHost (not .Values.console.enabled) -}}
{{- fail "ingress.consoleHost needs console.enabled" -}}
{{- end -}}
{{- range $name, $process := include "fiado.processes" . | fromYaml -}}
{{- $values := get $.Values $name -}}
{{- if and $facts.scales (lt (int $values.maxReplicas) (int $values.replicas)) -}}
{{- fail (printf "%s.maxReplicas is less than %s.replicas" $name $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
