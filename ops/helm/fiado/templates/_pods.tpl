{{/* The pods of Fiado: not root, nothing of the cluster's API, no writable file system but /tmp. */}}
{{- define "fiado.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  # The user node of the image.
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "fiado.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{/* Image, variables and files of a container: (dict "root" $ "process" "accounts" "image" "accounts"). */}}
{{- define "fiado.container" -}}
image: {{ include "fiado.image" (dict "root" .root "process" .image) }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
{{ include "fiado.containerSecurity" . }}
env:
  {{- include "fiado.env" . | nindent 2 }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- if or .migration (include "fiado.secretItems" .) }}
  - { name: settings-{{ .process }}, mountPath: /settings/{{ .process }}, readOnly: true }
  {{- end }}
  {{- if .root.Values.certificateAuthority.configMap }}
  - { name: certificate-authority, mountPath: /etc/fiado, readOnly: true }
  {{- end }}
{{- end -}}

{{/* Volumes of every pod. */}}
{{- define "fiado.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- with .Values.certificateAuthority }}
{{- if .configMap }}
- name: certificate-authority
  configMap:
    name: {{ .configMap }}
    items:
      - { key: {{ .key }}, path: certificate-authority.crt }
{{- end }}
{{- end }}
{{- end -}}

{{/* The Secret of a process as files, for its group only; a missing key keeps the pod from starting.
     A migration gets the URL of the database's owner. */}}
{{- define "fiado.settingsVolume" -}}
{{- $items := include "fiado.secretItems" . -}}
{{- if or .migration $items -}}
- name: settings-{{ .process }}
  projected:
    # 0440
    defaultMode: 288
    sources:
      {{- if $items }}
      - secret:
          name: {{ get .root.Values.secrets .process }}
          items:
            {{- $items | nindent 12 }}
      {{- end }}
      {{- if .migration }}
      - secret:
          name: {{ .root.Values.secrets.migration }}
          items:
            - { key: MIGRATION_DATABASE_URL, path: DATABASE_URL }
      {{- end }}
{{- end -}}
{{- end -}}
