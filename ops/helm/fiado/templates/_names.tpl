{{/* The list of processes and variables: processes.yaml. */}}
{{- define "fiado.lists" -}}
{{ .Files.Get "processes.yaml" }}
{{- end -}}

{{/* The processes that run, by name: the console only where it is wanted. */}}
{{- define "fiado.processes" -}}
{{- $processes := (include "fiado.lists" . | fromYaml).processes -}}
{{- if not .Values.console.enabled -}}{{- $processes = omit $processes "console" -}}{{- end -}}
{{ toYaml $processes }}
{{- end -}}

{{/* Selects the pods of a process: (dict "root" $ "process" "accounts"). */}}
{{- define "fiado.selector" -}}
app.kubernetes.io/name: fiado
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .process }}
{{- end -}}

{{/* The labels of an object of a process. */}}
{{- define "fiado.labels" -}}
{{ include "fiado.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/* The image of a process: its own, else that of the release. A digest goes before a tag. */}}
{{- define "fiado.image" -}}
{{- $all := .root.Values.image -}}
{{- $own := (get .root.Values .process).image | default dict -}}
{{- if $own.digest -}}{{ $all.repository }}@{{ $own.digest }}
{{- else if $own.tag -}}{{ $all.repository }}:{{ $own.tag }}
{{- else if $all.digest -}}{{ $all.repository }}@{{ $all.digest }}
{{- else -}}{{ $all.repository }}:{{ $all.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end -}}
