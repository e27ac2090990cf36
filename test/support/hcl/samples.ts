/** Files as people write them, with every construct of the language in one or another. */
export const SAMPLES: readonly string[] = [
  `# vim: set ft=hcl :
project {
  name = "démo"
}

shell "build-release" {
  depends_on = [shell.lint, group.ci, shell["unit"]]
  command    = ["make", "-j", "\${var.jobs + 1}"]
  env = {
    A     = "1"
    "B"   = x ? 1 : 2
    (key) = [for k, v in m : "\${k}=\${v}" if v != null]
  }
  script = <<-EOT
    echo \${a.b[0].c}
      %{ for x in y ~}
    - \${x}
    %{ endfor ~}
    done $\${HOME} 100%
  EOT
  timeout = "10m"
}
`,
  `a = {for k, v in {a = 1, b = 2} : upper(k) => v... if length(v) > 1 && !false}
b = f(1, [2, 3]...)
c = ns::g(<<E
text
E
, {
  x : 1,
  y = -2.5e3 % 3
})
`,
  `/* several
   lines */ a = 1 + 2 * (3 - 4) / 5 % 6 # x
b = a.*.b.0 // y
c = a[*].b["x"][1 + 1].*.d[*].e
d "x" y { e = "%{ if a == b }t%{ else }f%{ endif }" }
`,
  `b = f(<<A
\${ <<B
x \${~ 1 ~} y
B
}
A
)
c {
  d {
    e = [
      1, # one
      2
    ]
  }
  f = -1 >= 2 || !x.y && z <= 0 || w != null
}
`,
  `s = "a\\tb\\"c\\\\ $\${x} %%{y} \${"n\${"m"}"} é 🇩🇪 \\u00e9\\U0001F600"\r
n = [1.5e3, 0, null, true, a.0.b]\r
t = x ? y : z ? "\${w}" : <<-E\r
  one\r
    two\r
  E\r
`,
];
