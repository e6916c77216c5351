; Imports
(call
  !receiver
  method: (identifier) @_require
  arguments: (argument_list . (string) @import.module)
  (#any-of? @_require "require" "load")) @import.require
(call
  !receiver
  method: (identifier) @_require @import.relative
  arguments: (argument_list . (string) @import.module)
  (#eq? @_require "require_relative")) @import.require
(call
  !receiver
  method: (identifier) @_autoload
  arguments: (argument_list . (simple_symbol) @import.name (string) @import.module)
  (#eq? @_autoload "autoload")) @import.require

; Tests: minitest and RSpec blocks
(call
  method: (identifier) @_test @ignore
  arguments: (argument_list . (_) @name)
  block: (_ body: (_)? @body)
  (#any-of? @_test
    "describe" "context" "it" "specify" "test" "feature" "scenario" "example" "should")) @definition.test

; Definitions
(module name: (_) @name [(body_statement) "end"] @body) @definition.module
(class name: (_) @name [(body_statement) "end"] @body) @definition.class
(method name: (_) @name body: (_) @body) @definition.method
(method name: (_) @name "end" @body) @definition.method
(singleton_method name: (_) @name body: (_) @body) @definition.method
(singleton_method name: (_) @name "end" @body) @definition.method
(alias name: (_) @name alias: (_) @reference.name) @definition.method
(assignment
  left: (constant) @name
  right: (call receiver: (constant) @_struct method: (identifier) @_new)
  (#any-of? @_struct "Struct" "Class" "Data" "Module")
  (#any-of? @_new "new" "define")) @definition.class
(assignment left: (constant) @name) @definition.constant
(assignment left: (global_variable) @name) @definition.variable
(assignment left: (class_variable) @name) @definition.variable
(call
  !receiver
  method: (identifier) @_attribute
  arguments: (argument_list (simple_symbol)+ @name)
  (#any-of? @_attribute "attr_reader" "attr_writer" "attr_accessor" "attribute")) @definition.field
(call
  !receiver
  method: (identifier) @_association
  arguments: (argument_list . (simple_symbol) @name)
  (#any-of? @_association "has_many" "has_one" "belongs_to" "has_and_belongs_to_many" "scope")) @definition.field
(call
  !receiver
  method: (identifier) @_define
  arguments: (argument_list . (simple_symbol) @name)
  block: (_)? @body
  (#any-of? @_define "define_method" "alias_method" "let" "let!" "subject" "task")) @definition.method
((identifier) @access @ignore (#any-of? @access "private" "protected" "public"))

; Names of a function's own
(method_parameters (identifier)* @local)
(block_parameters (identifier)* @local)
(lambda_parameters (identifier)* @local)
(destructured_parameter (identifier)* @local)
(optional_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(splat_parameter name: (identifier) @local)
(hash_splat_parameter name: (identifier) @local)
(block_parameter name: (identifier) @local)
(exception_variable (identifier) @local)
(assignment left: (identifier) @local)
(operator_assignment left: (identifier) @local)
(left_assignment_list (identifier)* @local)
(for pattern: (identifier) @local)

; References
(call receiver: (_) @receiver method: [(identifier) (constant)] @reference.call)
(call method: [(identifier) (constant)] @reference.call)
(scope_resolution scope: (_) @receiver name: (constant) @reference.type)
(constant) @reference.type
(identifier) @reference.name

; Names in symbols and strings: associations, routes
(call
  !receiver
  method: (identifier) @_association
  arguments: (argument_list . (simple_symbol) @reference.text.name)
  (#any-of? @_association "has_many" "has_one" "belongs_to" "has_and_belongs_to_many"))
(string) @reference.text

(comment) @comment
