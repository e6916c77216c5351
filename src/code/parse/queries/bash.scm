; Imports
(command
  name: (command_name (word) @_source)
  argument: [(word) (string) (raw_string) (concatenation)] @import.module
  (#any-of? @_source "source" ".")) @import.include

; Definitions
(function_definition name: (word) @name body: (_) @body) @definition.function
(variable_assignment name: (variable_name) @name) @definition.variable
(declaration_command (variable_assignment)* @wrapped) @wrapper

; Names of a function's own
(declaration_command (variable_name)* @local)
(for_statement variable: (variable_name) @local)

; References
(command name: (command_name (word) @reference.call))
(simple_expansion (variable_name) @reference.name)
(expansion (variable_name) @reference.name)
(subscript name: (variable_name) @reference.name)

(comment) @comment
